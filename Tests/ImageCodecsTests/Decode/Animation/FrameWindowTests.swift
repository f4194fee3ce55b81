import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct FrameWindowTests {
    @Test func `the nearest missing frame is next`() {
        var window = FrameWindow(count: 10, budget: 30, frameBytes: 10)
        #expect(window.next == 0)
        #expect(window.insert(0, bytes: 10).isEmpty)
        #expect(window.next == 1)
        #expect(window.insert(2, bytes: 10).isEmpty)
        #expect(window.next == 1)
        #expect(window.insert(1, bytes: 10).isEmpty)
        #expect(window.next == nil)
    }

    @Test func `frames behind are dropped and frames ahead wrap around`() {
        var window = FrameWindow(count: 4, budget: 30, frameBytes: 10)
        for index in 0..<3 { #expect(window.insert(index, bytes: 10).isEmpty) }
        #expect(window.move(to: 2).sorted() == [1])
        #expect(window.next == 3)
        #expect(window.holds(0) && window.holds(2) && !window.holds(1))
    }

    @Test func `larger frames reduce the number of frames in the window`() {
        var window = FrameWindow(count: 10, budget: 40, frameBytes: 10)
        for index in 0..<4 { _ = window.insert(index, bytes: 10) }
        #expect(window.move(to: 1) == [0])
        #expect(window.insert(4, bytes: 20) == [3] || window.heldBytes <= 40)
        #expect(window.heldBytes <= 40)
    }

    @Test func `the shown frame is kept even above the budget`() {
        var window = FrameWindow(count: 3, budget: 5, frameBytes: 10)
        #expect(window.insert(0, bytes: 10).isEmpty)
        #expect(window.next == nil)
        #expect(window.move(to: 1) == [0])
        #expect(window.heldBytes == 0)
    }

    @Test(arguments: [(0, 0, 0), (-1, -1, -1), (5, .max, 0), (.max, .max, .max)])
    func `extreme numbers do not trap`(count: Int, budget: Int, bytes: Int) {
        var window = FrameWindow(count: count, budget: budget, frameBytes: bytes)
        _ = window.next
        if count > 0 { _ = window.insert(0, bytes: 1) }
        #expect(window.heldBytes >= 0)
    }

    @Test(arguments: 0..<20)
    func `the budget holds under random operations`(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let count = Int.random(in: 1...40, using: &random)
        var window = FrameWindow(count: count, budget: 100, frameBytes: 10)
        var model: [Int: Int] = [:]
        for _ in 0..<300 {
            if Bool.random(using: &random) {
                for index in window.move(to: Int.random(in: 0..<count, using: &random)) { model[index] = nil }
            } else if let next = window.next {
                let bytes = Int.random(in: 1...30, using: &random)
                let dropped = window.insert(next, bytes: bytes)
                model[next] = bytes
                for index in dropped { model[index] = nil }
            }
            #expect(window.heldBytes == model.values.reduce(0, +))
            #expect(window.heldBytes <= 100)
            for index in 0..<count { #expect(window.holds(index) == (model[index] != nil)) }
        }
    }
}
