import Raster

/// A reader of iTerm2's inline image protocol, written for these tests from its documentation.
struct ITermReader {
    typealias Refusal = Unpacking.Refusal

    private(set) var arguments: [String: String] = [:]
    private(set) var picture: PixelBuffer?
    /// The lengths of the control strings.
    private(set) var lengths: [Int] = []

    /// Reads what begins with a control string and has nothing but those.
    init(_ bytes: ArraySlice<UInt8>) throws(Refusal) {
        var rest = bytes
        var file: [UInt8] = []
        while !rest.isEmpty {
            let introducer = Array("\u{1B}]1337;".utf8)
            guard rest.starts(with: introducer), let end = rest.dropFirst(2).firstIndex(of: 0x1B),
                rest[end...].starts(with: [0x1B, 0x5C])
            else { throw Refusal(reason: "control string") }
            lengths.append(end + 2 - rest.startIndex)
            try read(rest[rest.startIndex + introducer.count..<end], &file)
            rest = rest[(end + 2)...]
        }
        guard picture != nil else { throw Refusal(reason: "no end") }
    }

    private mutating func read(_ command: ArraySlice<UInt8>, _ file: inout [UInt8]) throws(Refusal) {
        let name = String(decoding: command.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
        let value = command.dropFirst(name.utf8.count + 1)
        switch name {
        case "File":
            guard let colon = value.firstIndex(of: UInt8(ascii: ":")) else { throw Refusal(reason: "no file") }
            readArguments(value[..<colon])
            try finish(Array(value[(colon + 1)...]))
        case "MultipartFile": readArguments(value)
        case "FilePart": file += value
        case "CompletenessCheck": try finish(file)
        default: throw Refusal(reason: name)
        }
    }

    private mutating func readArguments(_ text: ArraySlice<UInt8>) {
        for pair in String(decoding: text, as: UTF8.self).split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            arguments[String(parts[0])] = String(parts[1])
        }
    }

    private mutating func finish(_ text: [UInt8]) throws(Refusal) {
        let file = try Unpacking.base64(text[...])
        guard arguments["size"] == "\(file.count)", arguments["inline"] == "1" else { throw Refusal(reason: "size") }
        picture = try PNGReader.decode(file)
    }
}
