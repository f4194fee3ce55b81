/// What waits to be written to the terminal, and the decision what goes next.
///
/// Text is never dropped. An image may be cut at any slice: `dropImages()` then ends its control string with CAN and ST.
struct OutputQueue: Sendable {
    /// The most bytes one write takes: 16 KiB.
    static let sliceLimit = 16 * 1024

    struct Chunk: Equatable, Sendable {
        enum Kind: Sendable {
            /// Always written to its end.
            case text
            /// May be dropped, also when half written.
            case image
        }

        var kind: Kind
        var bytes: [UInt8]

        init(_ kind: Kind, _ bytes: [UInt8]) {
            self.kind = kind
            self.bytes = bytes
        }
    }

    private var chunks: [Chunk] = []
    /// How much of the first chunk is written.
    private var written = 0

    init() {}

    var isEmpty: Bool { chunks.isEmpty }

    /// Whether an image, or the rest of one, still waits.
    var hasImage: Bool { chunks.contains { $0.kind == .image } }

    mutating func append(_ chunk: Chunk) {
        if !chunk.bytes.isEmpty { chunks.append(chunk) }
    }

    /// The bytes to write next, at most `sliceLimit`; empty when nothing waits.
    var nextSlice: ArraySlice<UInt8> {
        guard let first = chunks.first else { return [] }
        return first.bytes[written...].prefix(Self.sliceLimit)
    }

    /// Takes note that `count` bytes of `nextSlice` went out.
    mutating func advance(by count: Int) {
        guard let first = chunks.first else { return }
        written += count
        guard written >= first.bytes.count else { return }
        chunks.removeFirst()
        written = 0
    }

    /// Drops the images that wait and cuts the one that is being written; true when there was any.
    @discardableResult
    mutating func dropImages() -> Bool {
        guard hasImage else { return false }
        let isCut = written > 0 && chunks[0].kind == .image
        if isCut {
            chunks[0] = Chunk(.text, [ControlSequence.cancel, .stringTerminator].bytes)
            written = 0
        }
        chunks.removeAll { $0.kind == .image }
        return true
    }

    /// Forgets everything, for when the terminal takes nothing any more.
    mutating func removeAll() { self = OutputQueue() }
}
