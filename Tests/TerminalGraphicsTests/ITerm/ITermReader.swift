import Raster

/// A reader of iTerm2's inline image protocol, written for these tests from its documentation.
struct ITermReader {
    typealias Refusal = Unpacking.Refusal

    private(set) var arguments: [String: String] = [:]
    private(set) var picture: PixelBuffer?

    /// Reads one control string, and nothing else.
    init(_ bytes: ArraySlice<UInt8>) throws(Refusal) {
        let introducer = Array("\u{1B}]1337;File=".utf8)
        guard bytes.starts(with: introducer), bytes.suffix(2).elementsEqual([0x1B, 0x5C]) else {
            throw Refusal(reason: "control string")
        }
        let content = bytes.dropFirst(introducer.count).dropLast(2)
        guard !content.contains(0x1B), let colon = content.firstIndex(of: UInt8(ascii: ":")) else {
            throw Refusal(reason: "no file")
        }
        readArguments(content[..<colon])
        let file = try Unpacking.base64(content[(colon + 1)...])
        guard arguments["size"] == "\(file.count)", arguments["inline"] == "1" else { throw Refusal(reason: "size") }
        picture = try PNGReader.decode(file)
    }

    private mutating func readArguments(_ text: ArraySlice<UInt8>) {
        for pair in String(decoding: text, as: UTF8.self).split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            arguments[String(parts[0])] = String(parts[1])
        }
    }
}
