/// What waits to be written to the terminal, and the decision what goes next.
///
/// Text is never dropped. An image may be cut at any slice: `dropImages()` then ends it as its `PictureCut` says.
struct OutputQueue: Sendable {
    /// The most bytes one write takes: 16 KiB.
    static let sliceLimit = 16 * 1024
    /// An upload with fewer bytes left is not cut: 64 KiB.
    static let uploadRest = 64 * 1024

    struct Chunk: Equatable, Sendable {
        enum Kind: Equatable, Sendable {
            /// Always written to its end.
            case text
            /// May be dropped, also when half written.
            case image(PictureCut)
        }

        var kind: Kind
        var bytes: [UInt8]

        init(_ kind: Kind, _ bytes: [UInt8]) {
            self.kind = kind
            self.bytes = bytes
        }

        fileprivate var isImage: Bool { kind != .text }
    }

    private var chunks: [Chunk] = []
    /// How much of the first chunk is written.
    private var written = 0

    init() {}

    var isEmpty: Bool { chunks.isEmpty }

    /// Whether an image, or the rest of one, still waits.
    var hasImage: Bool { chunks.contains(where: \.isImage) }

    /// Whether a sequence still waits, or the end of it, as a part of a text.
    func holds(_ sequence: ControlSequence) -> Bool {
        chunks.contains { !$0.isImage && $0.bytes.contains(sequence.bytes) }
    }

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
    ///
    /// An upload that is nearly through goes on to its end and counts as none.
    @discardableResult
    mutating func dropImages() -> Bool {
        let isCut = cutFirst()
        let count = chunks.count
        chunks.removeAll(where: \.isImage)
        return isCut || count > chunks.count
    }

    /// The bytes that end what is half written at once, for when nothing follows; empty when nothing is.
    var interruption: [UInt8] {
        guard let first = chunks.first, written > 0 else { return [] }
        let end: [UInt8] = if case .image(let cut) = first.kind { cut.ending } else { [] }
        return PictureCut.cancellation + end
    }

    /// Turns a half-written image into the text that ends it; true when something of it was dropped.
    private mutating func cutFirst() -> Bool {
        guard let first = chunks.first, written > 0, case .image(let cut) = first.kind else { return false }
        defer { written = 0 }
        switch cut {
        case .cancel(let ending): chunks[0] = Chunk(.text, PictureCut.cancellation + ending)
        case .afterString where first.bytes.count - written < Self.uploadRest:
            chunks[0] = Chunk(.text, Array(first.bytes[written...]))
            return false
        case .afterString(let ending):
            chunks[0] = Chunk(.text, PictureCut.endOfString(first.bytes, from: written) + ending)
        }
        return true
    }

    /// Forgets everything, for when the terminal takes nothing any more.
    mutating func removeAll() { self = OutputQueue() }
}
