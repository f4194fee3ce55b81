/// The output waiting for the terminal, in order.
///
/// Text is never dropped. An image may be cut at any slice; `dropImages()` then ends it according to its `PictureCut`.
struct OutputQueue: Sendable {
    /// The largest number of bytes of one write: 16 KiB.
    static let sliceLimit = 16 * 1024
    /// An upload with fewer bytes left is completed instead of cut: 64 KiB.
    static let completionLimit = 64 * 1024

    struct Chunk: Equatable, Sendable {
        enum Kind: Equatable, Sendable {
            /// Always written completely.
            case text
            /// May be dropped or cut.
            case image(PictureCut)
        }

        var kind: Kind
        var bytes: [UInt8]

        init(_ kind: Kind, _ bytes: [UInt8]) { (self.kind, self.bytes) = (kind, bytes) }

        fileprivate var isImage: Bool { kind != .text }
    }

    private var chunks: [Chunk] = []
    /// The number of bytes of the first chunk that are written.
    private var written = 0

    var isEmpty: Bool { chunks.isEmpty }

    /// Returns whether a sequence, or the rest of it, is waiting in a text chunk.
    func contains(_ sequence: ControlSequence) -> Bool {
        chunks.contains { !$0.isImage && $0.bytes.contains(sequence.bytes) }
    }

    mutating func append(_ chunk: Chunk) {
        if !chunk.bytes.isEmpty { chunks.append(chunk) }
    }

    /// The next bytes to write, at most `sliceLimit`; empty if the queue is empty.
    var nextSlice: ArraySlice<UInt8> {
        guard let first = chunks.first else { return [] }
        return first.bytes[written...].prefix(Self.sliceLimit)
    }

    /// Records that the first `count` bytes of `nextSlice` are written.
    mutating func advance(by count: Int) {
        guard let first = chunks.first else { return }
        written += count
        guard written >= first.bytes.count else { return }
        chunks.removeFirst()
        written = 0
    }

    /// Drops the waiting images and cuts the one being written; returns whether there was any.
    ///
    /// An upload that is nearly complete is written to its end and does not count.
    @discardableResult
    mutating func dropImages() -> Bool {
        let isCut = cutFirst()
        let count = chunks.count
        chunks.removeAll(where: \.isImage)
        return isCut || count > chunks.count
    }

    /// The bytes that end half-written output when nothing else follows; empty if nothing is half written.
    var terminator: [UInt8] {
        guard let first = chunks.first, written > 0 else { return [] }
        let end: [UInt8] = if case .image(let cut) = first.kind { cut.ending } else { [] }
        return PictureCut.cancellation + end
    }

    /// Replaces a half-written image by the text that ends it; returns whether a part was dropped.
    private mutating func cutFirst() -> Bool {
        guard let first = chunks.first, written > 0, case .image(let cut) = first.kind else { return false }
        defer { written = 0 }
        switch cut {
        case .cancel(let ending): chunks[0] = Chunk(.text, PictureCut.cancellation + ending)
        case .afterString where first.bytes.count - written < Self.completionLimit:
            chunks[0] = Chunk(.text, Array(first.bytes[written...]))
            return false
        case .afterString(let ending):
            chunks[0] = Chunk(.text, PictureCut.endOfString(first.bytes, from: written) + ending)
        }
        return true
    }
}
/// The way to end a half-written picture.
package enum PictureCut: Equatable, Sendable {
    /// Aborts with CAN and ST at any byte, then sends more bytes.
    case cancel(then: [UInt8] = [])
    /// Completes the current control string, then sends more bytes.
    case afterString(then: [UInt8])

    /// The bytes that abort a control string at any byte.
    static let cancellation = [ControlSequence.cancel, .stringTerminator].bytes

    var ending: [UInt8] {
        switch self {
        case .cancel(let bytes), .afterString(let bytes): bytes
        }
    }

    /// Returns the rest of the current control string after `written` bytes; empty between two strings.
    static func endOfString(_ bytes: [UInt8], from written: Int) -> [UInt8] {
        let terminator = ControlSequence.stringTerminator.bytes
        if bytes[..<written].suffix(2).elementsEqual(terminator) { return [] }
        var end = written
        while end < bytes.count, end < 2 || bytes[end - 2..<end] != terminator[...] { end += 1 }
        return Array(bytes[written..<end])
    }
}
