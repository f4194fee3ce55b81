import TestSupport
import Testing

@testable import DiskCache
@testable import HTTPDownload
@testable import ImageCodecs
@testable import ImageLoading

@Suite(.timeLimit(.minutes(1)))
struct CoalescingStateTests {
    @Test func `the first starts the work, the others share it, and all get the result`() {
        var state = CoalescingState<String>()
        #expect(state.join("a", waiter: 1) == .start)
        #expect(state.join("a", waiter: 2) == .share)
        #expect(state.join("b", waiter: 3) == .start)
        #expect(state.finish("a") == [1, 2])
        #expect(state.finish("a") == [])
        #expect(state.join("a", waiter: 4) == .start)
    }

    @Test func `only the last one to leave cancels and a newcomer starts afresh`() {
        var state = CoalescingState<String>()
        _ = state.join("a", waiter: 1)
        _ = state.join("a", waiter: 2)
        #expect(state.leave("a", waiter: 1) == .none)
        #expect(state.leave("a", waiter: 1) == .none)
        #expect(state.leave("a", waiter: 2) == .cancel)
        #expect(state.join("a", waiter: 3) == .start)
    }

    @Test func `a waiter that never joined cannot leave`() {
        var state = CoalescingState<String>()
        #expect(state.leave("a", waiter: 1) == .none)
        _ = state.join("a", waiter: 1)
        #expect(state.leave("a", waiter: 2) == .none)
        #expect(state.finish("a") == [1])
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `it agrees with a plain model in any order of events`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var state = CoalescingState<Int>()
        var model: [Int: [Int]] = [:]
        for waiter in 0..<3_000 {
            let key = Int.random(in: 0..<4, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                #expect(state.finish(key) == model.removeValue(forKey: key) ?? [])
            case 1, 2:
                let leaver = model[key]?.randomElement(using: &random) ?? -1
                let isLast = model[key] == [leaver]
                model[key]?.removeAll { $0 == leaver }
                if isLast { model[key] = nil }
                #expect(state.leave(key, waiter: leaver) == (isLast ? .cancel : .none))
            default:
                #expect(state.join(key, waiter: waiter) == (model[key] == nil ? .start : .share))
                model[key, default: []].append(waiter)
            }
        }
    }
}
