import TestSupport
import Testing

@testable import AlcedoTerminal

@Suite(.timeLimit(.minutes(1)))
struct OutputQueueTests {
    private static let cut: [UInt8] = [0x18, 0x1B, 0x5C]

    private func everything(in queue: OutputQueue) -> [UInt8] {
        var queue = queue
        var bytes: [UInt8] = []
        while !queue.isEmpty {
            let slice = queue.nextSlice
            bytes += slice
            queue.advance(by: slice.count)
        }
        return bytes
    }

    @Test
    func `chunks are returned in order, in slices of at most 16 KiB`() {
        var queue = OutputQueue()
        let image = (0..<40_000).map { UInt8($0 % 251) }
        queue.append(.init(.text, [1, 2]))
        queue.append(.init(.image(.cancel()), image))
        queue.append(.init(.text, [3]))
        #expect(everything(in: queue) == [1, 2] + image + [3])
        queue.advance(by: 2)
        #expect(queue.nextSlice.count == OutputQueue.sliceLimit)
    }

    @Test
    func `a short write continues in the middle`() {
        var queue = OutputQueue()
        queue.append(.init(.text, [1, 2, 3]))
        queue.advance(by: 2)
        #expect(Array(queue.nextSlice) == [3])
        queue.advance(by: 0)
        #expect(Array(queue.nextSlice) == [3])
    }

    @Test func `a question is pending until its last byte is written`() {
        var queue = OutputQueue()
        queue.append(.init(.image(.cancel()), ControlSequence.queryAttributes.bytes))
        queue.append(.init(.text, [1] + ControlSequence.queryStatus.bytes))
        #expect(queue.contains(.queryStatus) && !queue.contains(.queryAttributes))
        queue.advance(by: ControlSequence.queryAttributes.bytes.count)
        queue.advance(by: ControlSequence.queryStatus.bytes.count)
        #expect(queue.contains(.queryStatus))
        queue.advance(by: 1)
        #expect(!queue.contains(.queryStatus))
    }

    @Test
    func `a waiting image is dropped completely`() {
        var queue = OutputQueue()
        queue.append(.init(.text, [1]))
        queue.append(.init(.image(.cancel()), [9, 9]))
        queue.append(.init(.text, [2]))
        let wasDropped = queue.dropImages()
        #expect(wasDropped)
        #expect(everything(in: queue) == [1, 2])
    }

    @Test
    func `a half-written image is ended with CAN and ST, and the queue continues`() {
        var queue = OutputQueue()
        queue.append(.init(.image(.cancel()), [9, 9, 9]))
        queue.append(.init(.text, [2]))
        queue.append(.init(.image(.cancel()), [8]))
        queue.advance(by: 1)
        let wasDropped = queue.dropImages()
        #expect(wasDropped)
        #expect(everything(in: queue) == Self.cut + [2])
    }

    private static let upload = (0..<40).flatMap { number -> [UInt8] in
        Array("\u{1B}_Gq=2,m=1;".utf8) + [UInt8](repeating: UInt8(65 + number % 20), count: 4096) + [0x1B, 0x5C]
    }
    private static let uploadEnd = Array("\u{1B}_Gq=2,m=0;\u{1B}\\".utf8)

    @Test(arguments: [1, 4105, 4106, 4107, 4108, 4109, 9000, 16384])
    func `an interrupted upload ends after a whole control string with its last chunk`(written: Int) throws {
        var queue = OutputQueue()
        queue.append(.init(.image(.afterString(then: Self.uploadEnd)), Self.upload))
        queue.append(.init(.text, [2]))
        queue.advance(by: written)
        let wasDropped = queue.dropImages()
        #expect(wasDropped)
        let sent = Self.upload.prefix(written) + everything(in: queue)
        let whole = try #require(sent.firstRange(of: Self.uploadEnd))
        #expect(Array(sent[whole.upperBound...]) == [2])
        #expect(whole.lowerBound % (Self.upload.count / 40) == 0)
        #expect(whole.lowerBound - written < 4200)
    }

    @Test func `an upload with less than 64 KiB left is completed`() {
        var queue = OutputQueue()
        queue.append(.init(.image(.afterString(then: Self.uploadEnd)), Self.upload))
        queue.append(.init(.image(.afterString(then: Self.uploadEnd)), [9]))
        let written = Self.upload.count - OutputQueue.completionLimit + 1
        queue.advance(by: written)
        queue.dropImages()
        #expect(everything(in: queue) == Array(Self.upload[written...]))
        queue = OutputQueue()
        queue.append(.init(.image(.afterString(then: Self.uploadEnd)), Self.upload))
        queue.advance(by: written)
        let wasDropped = queue.dropImages()
        #expect(!wasDropped)
    }

    @Test func `terminator ends the half-written chunk`() {
        var queue = OutputQueue()
        queue.append(.init(.text, [1, 2]))
        #expect(queue.terminator.isEmpty)
        queue.advance(by: 1)
        #expect(queue.terminator == Self.cut)
        queue.advance(by: 1)
        queue.append(.init(.image(.afterString(then: Self.uploadEnd)), Self.upload))
        #expect(queue.terminator.isEmpty)
        queue.advance(by: 100)
        #expect(queue.terminator == Self.cut + Self.uploadEnd)
    }

    @Test
    func `text is never dropped, half-written or not`() {
        var queue = OutputQueue()
        queue.append(.init(.text, [1, 2, 3]))
        queue.advance(by: 1)
        let wasDropped = queue.dropImages()
        #expect(!wasDropped)
        #expect(everything(in: queue) == [2, 3])
    }

    @Test
    func `empty chunks are not stored`() {
        var queue = OutputQueue()
        queue.append(.init(.image(.cancel()), []))
        #expect(queue.isEmpty)
        #expect(queue.nextSlice.isEmpty)
        queue.advance(by: 5)
        #expect(queue.isEmpty)
    }

    @Test(arguments: 0..<20)
    func `with random interruptions all text is written completely and in order`(seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        var queue = OutputQueue()
        var text: [UInt8] = []
        var written: [UInt8] = []
        for number in 0..<500 {
            let bytes = [UInt8](repeating: UInt8(number % 100) + 100, count: Int.random(in: 1...9, using: &generator))
            switch Int.random(in: 0..<4, using: &generator) {
            case 0:
                queue.append(.init(.text, bytes))
                text += bytes
            case 1: queue.append(.init(.image(.cancel()), [UInt8](repeating: 7, count: 30)))
            case 2: queue.dropImages()
            default:
                let slice = queue.nextSlice.prefix(Int.random(in: 0...12, using: &generator))
                written += slice
                queue.advance(by: slice.count)
            }
        }
        queue.dropImages()
        written += everything(in: queue)
        #expect(written.filter { $0 >= 100 } == text)
    }
}
