import AlcedoSupport

/// Reads paths and addresses that end with NUL, as `find -print0` writes them: each is one entry, even with line ends
/// in it.
struct NULListParser: ListParser {
    /// The largest number of bytes of a name.
    private static let limit = 64 * 1024

    private(set) var line = 0
    private let base: ListBase
    private var name: [UInt8] = []

    init(base: ListBase) { self.base = base }

    mutating func feed(_ bytes: [UInt8], into events: inout [ListEvent]) {
        var rest = bytes[...]
        while let end = rest.fastIndex(of: 0) {
            name += rest[..<end]
            add(into: &events)
            rest = rest[(end + 1)...]
        }
        name += rest.prefix(max(0, Self.limit + 1 - name.count))
    }

    mutating func finish(isTruncated: Bool, into events: inout [ListEvent]) {
        if !isTruncated, !name.isEmpty { add(into: &events) }
    }

    private mutating func add(into events: inout [ListEvent]) {
        defer { name.removeAll(keepingCapacity: true) }
        line += 1
        guard !name.isEmpty else { return }
        guard name.count <= Self.limit else {
            return events.append(.rejected(line: line, reason: ListLine.ReadError.lineTooLong.rawValue))
        }
        events.append(String(pathBytes: name), line: line, resolve: location)
    }

    /// Returns the location of a name; a path may have control characters here, as in a folder.
    private func location(_ text: String) throws(LocationError) -> String {
        let isOdd = text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
        guard isOdd, case .folder(let folder) = base else { return try base.location(text) }
        return text.hasPrefix("/") ? text : "\(folder)/\(text.hasPrefix("./") ? String(text.dropFirst(2)) : text)"
    }
}
