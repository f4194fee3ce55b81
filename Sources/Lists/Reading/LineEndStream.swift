/// Bytes whose lines all end in LF: CRLF, and the CR of old Macs, become one.
struct LineEndStream: ByteSource {
    private var base: any ByteSource
    /// Whether the last byte was a CR, whose LF may follow.
    private var isBehindCR = false

    init(_ base: any ByteSource) {
        self.base = base
    }

    var name: String { base.name }

    func isQuiet() async -> Bool { await base.isQuiet() }

    mutating func read(line: Int) async throws(ListError) -> [UInt8] {
        while true {
            let bytes = try await base.read(line: line)
            if bytes.isEmpty { return [] }
            let text = convert(bytes)
            if !text.isEmpty { return text }
        }
    }

    private mutating func convert(_ bytes: [UInt8]) -> [UInt8] {
        let start = isBehindCR && bytes[0] == Self.lineFeed ? 1 : 0
        isBehindCR = bytes.last == Self.carriageReturn
        guard start > 0 || bytes[...].place(of: Self.carriageReturn) != nil else { return bytes }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var rest = bytes[start...]
        while let end = rest.place(of: Self.carriageReturn) {
            text += rest[..<end]
            text.append(Self.lineFeed)
            rest = rest[(end + 1)...]
            if rest.first == Self.lineFeed { rest = rest.dropFirst() }
        }
        return text + rest
    }

    private static let carriageReturn = UInt8(ascii: "\r")
    private static let lineFeed = UInt8(ascii: "\n")
}
