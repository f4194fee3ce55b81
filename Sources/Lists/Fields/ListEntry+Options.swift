import Foundation

extension ListEntry {
    /// Takes an indented option: as the field it is, in the sense aria2 gives it, or as it stands.
    mutating func take(_ option: ListOption, from base: ListBase) throws(FieldFault) {
        switch option.key {
        case "out": try set(.title, to: .text(option.value), from: base)
        case "header": try add(option.value)
        case "referer": try add("Referer: \(option.value)")
        case "user-agent": try add("User-Agent: \(option.value)")
        case "http-user", "http-passwd":
            options.append(option)
            try authorize()
        case "checksum":
            guard option.value.hasPrefix(Self.checksum) else { throw FieldFault("checksum: only sha-256=… is checked") }
            try set(.sha256, to: .text(String(option.value.dropFirst(Self.checksum.count))), from: base)
        default:
            if let field = ListField(name: option.key), field != .url {
                try set(field, to: .text(option.value), from: base)
            } else {
                options.append(option)
            }
        }
    }

    /// RFC 7617, as aria2 asks with both options.
    private mutating func authorize() throws(FieldFault) {
        guard let user = options.last(where: { $0.key == "http-user" })?.value else { return }
        let password = options.last { $0.key == "http-passwd" }?.value ?? ""
        let credentials = Data("\(user):\(password)".utf8).base64EncodedString()
        try add("Authorization: Basic \(credentials)")
    }

    private static let authorization = "authorization"
    private static let checksum = "sha-256="

    private mutating func add(_ line: String) throws(FieldFault) {
        guard let header = ListHeader(line: line) else { throw FieldFault("an option that is no header of a request") }
        // The last word on who asks counts.
        if header.name.lowercased() == Self.authorization {
            headers.removeAll { $0.name.lowercased() == Self.authorization }
        }
        headers.append(header)
    }
}
