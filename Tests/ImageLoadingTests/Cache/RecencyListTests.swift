import TestSupport
import Testing

@testable import ImageLoading

struct RecencyListTests {
    @Test func theEntryUsedLongestAgoGoesFirst() {
        var list = RecencyList<Int>()
        for (value, key) in ["a", "b", "c"].enumerated() {
            list.insert(value, forKey: key, cost: 1, life: nil, now: .zero)
        }
        #expect(list.touch("a", now: .zero) == 0)
        list.trim(to: 2)
        #expect(list.touch("b", now: .zero) == nil)
        #expect(list.holds("a", now: .zero))
        #expect(list.holds("c", now: .zero))
    }

    @Test func anEntryReplacedCountsOnce() {
        var list = RecencyList<Int>()
        list.insert(1, forKey: "a", cost: 10, life: nil, now: .zero)
        list.insert(2, forKey: "a", cost: 3, life: nil, now: .zero)
        #expect(list.totalCost == 3)
        #expect(list.count == 1)
        #expect(list.touch("a", now: .zero) == 2)
    }

    @Test func aDeadlineThatHasComeEndsAnEntry() {
        var list = RecencyList<Int>()
        list.insert(1, forKey: "a", cost: 1, life: .seconds(5), now: .zero)
        #expect(list.holds("a", now: .seconds(4)))
        #expect(!list.holds("a", now: .seconds(5)))
        #expect(list.touch("a", now: .seconds(5)) == nil)
        #expect(list.count == 0)
        #expect(list.totalCost == 0)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func itBehavesAsAPlainArrayInOrderOfUseDoes(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var list = RecencyList<Int>()
        var model: [(key: String, value: Int, cost: Int)] = []
        for step in 0..<2_000 {
            let key = "k\(Int.random(in: 0..<12, using: &random))"
            let place = model.firstIndex { $0.key == key }
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let cost = Int.random(in: 0..<9, using: &random)
                list.insert(step, forKey: key, cost: cost, life: nil, now: .zero)
                if let place { model.remove(at: place) }
                model.append((key, step, cost))
            case 1:
                #expect(list.touch(key, now: .zero) == place.map { model[$0].value })
                if let place { model.append(model.remove(at: place)) }
            case 2:
                list.remove(key)
                if let place { model.remove(at: place) }
            default:
                list.trim(to: 20)
                while model.reduce(0, { $0 + $1.cost }) > 20 { model.removeFirst() }
            }
            #expect(list.count == model.count)
            #expect(list.totalCost == model.reduce(0) { $0 + $1.cost })
        }
    }
}
