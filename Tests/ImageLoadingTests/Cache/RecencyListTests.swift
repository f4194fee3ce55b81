import TestSupport
import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(1)))
struct RecencyListTests {
    @Test func `the least recently used entry is removed first`() {
        var list = RecencyList<Int>()
        for (value, key) in ["a", "b", "c"].enumerated() {
            list.insert(value, forKey: key, cost: 1, life: .endless, now: .zero)
        }
        #expect(list.value("a") == 0)
        #expect(list.removeOldest() == "b")
        #expect(list.value("b") == nil)
        #expect(list.holds("a", now: .zero))
        #expect(list.holds("c", now: .zero))
    }

    @Test func `a replaced entry counts once`() {
        var list = RecencyList<Int>()
        list.insert(1, forKey: "a", cost: 10, life: .endless, now: .zero)
        let isReplacement = list.insert(2, forKey: "a", cost: 3, life: .endless, now: .zero)
        #expect(isReplacement)
        #expect(list.totalCost == 3)
        #expect(list.count == 1)
        #expect(list.value("a") == 2)
    }

    @Test func `an entry expires at its deadline`() {
        var list = RecencyList<Int>()
        list.insert(1, forKey: "a", cost: 1, life: .after(.seconds(5)), now: .zero)
        #expect(list.holds("a", now: .seconds(4)))
        #expect(!list.holds("a", now: .seconds(5)))
        guard case .expired = list.touch("a", now: .seconds(5)) else {
            Issue.record("it had expired")
            return
        }
        guard case .missing = list.touch("a", now: .seconds(5)) else {
            Issue.record("it was gone")
            return
        }
        #expect(list.count == 0)
        #expect(list.totalCost == 0)
    }

    @Test func `an empty list has no oldest entry`() {
        var list = RecencyList<Int>()
        #expect(list.removeOldest() == nil)
        list.insert(1, forKey: "a", cost: 1, life: .endless, now: .zero)
        #expect(list.removeOldest() == "a")
        #expect(list.removeOldest() == nil)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `exactly the expired entries are removed`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var list = RecencyList<Int>()
        var deadlines: [String: Duration?] = [:]
        var now = Duration.zero
        for step in 0..<1_000 {
            let key = "k\(Int.random(in: 0..<40, using: &random))"
            let life: Duration? =
                step.isMultiple(of: 9) ? nil : .milliseconds(Int.random(in: 1..<9_000, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                list.insert(step, forKey: key, cost: 1, life: life.map(EntryLife.after) ?? .endless, now: now)
                deadlines[key] = .some(life.map { now + $0 })
            case 1:
                if case .found = list.touch(key, now: now, renew: { _ in life.map(EntryLife.after) ?? .endless }) {
                    deadlines[key] = .some(life.map { now + $0 })
                } else {
                    deadlines[key] = nil
                }
            case 2: now += .milliseconds(Int.random(in: 0..<1_500, using: &random))
            default:
                let due = deadlines.filter { entry in entry.value.map { $0 <= now } ?? false }.keys
                #expect(Set(list.removeExpired(now: now)) == Set(due))
                for key in due { deadlines[key] = nil }
            }
        }
        #expect(list.count == deadlines.count)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `the list behaves like an array in order of use`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var list = RecencyList<Int>()
        var model: [(key: String, value: Int, cost: Int)] = []
        for step in 0..<2_000 {
            let key = "k\(Int.random(in: 0..<12, using: &random))"
            let place = model.firstIndex { $0.key == key }
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let cost = Int.random(in: 0..<9, using: &random)
                list.insert(step, forKey: key, cost: cost, life: .endless, now: .zero)
                if let place { model.remove(at: place) }
                model.append((key, step, cost))
            case 1:
                #expect(list.value(key) == place.map { model[$0].value })
                if let place { model.append(model.remove(at: place)) }
            case 2:
                list.remove(key)
                if let place { model.remove(at: place) }
            default:
                while list.totalCost > 20 { _ = list.removeOldest() }
                while model.reduce(0, { $0 + $1.cost }) > 20 { model.removeFirst() }
            }
            #expect(list.count == model.count)
            #expect(list.totalCost == model.reduce(0) { $0 + $1.cost })
        }
    }
}

extension RecencyList {
    fileprivate mutating func value(_ key: String) -> Value? {
        if case .found(let value) = touch(key, now: .zero) { value } else { nil }
    }
}
