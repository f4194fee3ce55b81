/// The bytes within a gzip file (RFC 1952), one member after another, never more than a piece at a time.
///
/// Bytes that were unpacked before the data breaks off or turns out damaged are given first, then the error. Zero
/// bytes after a member are padding. zlib unpacks them: Foundation has no gzip that streams, and a compressed list must
/// take no more memory than a plain one.
struct GzipStream: ByteSource {
    static let signature: [UInt8] = [0x1F, 0x8B]

    private var base: any ByteSource
    private let inflater: Inflater
    private var input: ArraySlice<UInt8> = []
    private var state = Inflater.State.ended

    init(_ base: any ByteSource) throws(ListError) {
        guard let inflater = Inflater() else {
            throw .unreadable(file: base.name, line: nil, reason: "no memory to unpack it")
        }
        self.base = base
        self.inflater = inflater
    }

    var name: String { base.name }

    mutating func read(line: Int) async throws(ListError) -> [UInt8] {
        while true {
            if case .damaged(let reason) = state { throw failure("the gzip data is damaged: \(reason)", line) }
            if state != .full, input.isEmpty {
                input = try await base.read(line: line)[...]
                if input.isEmpty {
                    if state == .ended { return [] }
                    throw failure("the gzip data ends early", line)
                }
            }
            if state == .ended { input = input.drop { $0 == 0 } }
            if input.isEmpty, state != .full { continue }
            let bytes = unpack()
            if !bytes.isEmpty { return bytes }
        }
    }

    private mutating func unpack() -> [UInt8] {
        let step = inflater.step(input, limit: ByteStream.piece)
        input = input.dropFirst(step.consumed)
        state = step.state
        return step.bytes
    }

    private func failure(_ reason: String, _ line: Int) -> ListError {
        .unreadable(file: name, line: line > 0 ? line : nil, reason: reason)
    }
}
