/// Bytes in which every line ends in LF: CRLF, and the lone CR of old Macs, become LF.
struct LineEndStream: ByteSource {
    private var base: any ByteSource
    /// Whether the last byte was a CR, which may be the first half of a CRLF.
    private var endedInCR = false

    init(_ base: any ByteSource) {
        self.base = base
    }

    var name: String { base.name }

    func isIdle() async -> Bool { await base.isIdle() }

    mutating func read(line: Int) async throws(ListError) -> [UInt8] {
        while true {
            let bytes = try await base.read(line: line)
            if bytes.isEmpty { return [] }
            let text = convert(bytes)
            if !text.isEmpty { return text }
        }
    }

    private mutating func convert(_ bytes: [UInt8]) -> [UInt8] {
        let start = endedInCR && bytes[0] == Self.lineFeed ? 1 : 0
        endedInCR = bytes.last == Self.carriageReturn
        guard start > 0 || bytes[...].fastIndex(of: Self.carriageReturn) != nil else { return bytes }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var rest = bytes[start...]
        while let end = rest.fastIndex(of: Self.carriageReturn) {
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
