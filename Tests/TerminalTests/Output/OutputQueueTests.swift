import Testing

@testable import Terminal

@Suite("The output queue")
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

    @Test("gives everything in order, in slices of at most 16 KiB")
    func slices() {
        var queue = OutputQueue()
        let image = (0..<40_000).map { UInt8($0 % 251) }
        queue.append(.init(.text, [1, 2]))
        queue.append(.init(.image, image))
        queue.append(.init(.text, [3]))
        #expect(everything(in: queue) == [1, 2] + image + [3])
        queue.advance(by: 2)
        #expect(queue.nextSlice.count == OutputQueue.sliceLimit)
    }

    @Test("goes on in the middle after a short write")
    func shortWrite() {
        var queue = OutputQueue()
        queue.append(.init(.text, [1, 2, 3]))
        queue.advance(by: 2)
        #expect(Array(queue.nextSlice) == [3])
        queue.advance(by: 0)
        #expect(Array(queue.nextSlice) == [3])
    }

    @Test("drops a waiting image without a trace")
    func dropsWaiting() {
        var queue = OutputQueue()
        queue.append(.init(.text, [1]))
        queue.append(.init(.image, [9, 9]))
        queue.append(.init(.text, [2]))
        let wasDropped = queue.dropImages()
        #expect(wasDropped)
        #expect(everything(in: queue) == [1, 2])
    }

    @Test("ends a half-written image with CAN and ST, then goes on")
    func cutsHalfWritten() {
        var queue = OutputQueue()
        queue.append(.init(.image, [9, 9, 9]))
        queue.append(.init(.text, [2]))
        queue.append(.init(.image, [8]))
        queue.advance(by: 1)
        let wasDropped = queue.dropImages()
        #expect(wasDropped)
        #expect(everything(in: queue) == Self.cut + [2])
        #expect(!queue.hasImage)
    }

    @Test("never drops text, half written or not")
    func keepsText() {
        var queue = OutputQueue()
        queue.append(.init(.text, [1, 2, 3]))
        queue.advance(by: 1)
        let wasDropped = queue.dropImages()
        #expect(!wasDropped)
        #expect(everything(in: queue) == [2, 3])
    }

    @Test("holds nothing for empty chunks")
    func ignoresEmpty() {
        var queue = OutputQueue()
        queue.append(.init(.image, []))
        #expect(queue.isEmpty)
        #expect(queue.nextSlice.isEmpty)
        queue.advance(by: 5)
        #expect(queue.isEmpty)
    }

    @Test("whatever is cut when, all text comes out whole and in order", arguments: 0..<20)
    func randomCuts(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var queue = OutputQueue()
        var text: [UInt8] = []
        var written: [UInt8] = []
        for number in 0..<500 {
            let bytes = [UInt8](repeating: UInt8(number % 100) + 100, count: Int.random(in: 1...9, using: &generator))
            switch Int.random(in: 0..<4, using: &generator) {
            case 0:
                queue.append(.init(.text, bytes))
                text += bytes
            case 1: queue.append(.init(.image, [UInt8](repeating: 7, count: 30)))
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
