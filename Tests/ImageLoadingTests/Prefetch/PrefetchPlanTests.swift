import TestSupport
import Testing

@testable import ImageLoading

@Suite(.timeLimit(.minutes(1)))
struct PrefetchPlanTests {
    private func plan(limit: Int = 2, perHost: Int = 9, _ hosts: [String]) -> PrefetchPlan {
        var plan = PrefetchPlan(limit: limit, limitPerHost: perHost, random: FixedRandom.highest)
        for (id, host) in hosts.enumerated() { plan.add(.init(id: id, host: host)) }
        return plan
    }

    @Test func `items start in order up to the limit`() {
        var plan = plan(["a", "a", "a", "a"])
        #expect(plan.next() == [0, 1])
        #expect(plan.next() == [])
        plan.finish(1)
        #expect(plan.next() == [2])
        #expect(plan.waitingCount == 1)
    }

    @Test func `items being stored hold no place, up to the limit`() {
        var plan = plan(limit: 1, ["a", "a", "a"])
        #expect(plan.next() == [0])
        plan.rest(0, .keeping(byteCount: 20 << 20))
        #expect(plan.next() == [1])
        // A second one keeps its place until the first is done.
        plan.rest(1, .keeping(byteCount: 1))
        #expect(plan.next() == [])
        plan.finish(0)
        #expect(plan.next() == [])
        plan.rest(1, .keeping(byteCount: 1))
        #expect(plan.next() == [2])
        plan.finish(1)
        plan.finish(2)
        #expect(plan.isIdle)
    }

    @Test func `four times as many small pictures may be stored at once`() {
        var plan = plan(limit: 1, Array(repeating: "a", count: 7))
        for id in 0..<4 {
            #expect(plan.next() == [id])
            plan.rest(id, .keeping(byteCount: 4 << 20))
        }
        #expect(plan.next() == [4])
        plan.rest(4, .keeping(byteCount: 0))
        #expect(plan.next() == [])
        plan.finish(0)
        plan.rest(4, .keeping(byteCount: 4 << 20 + 1))
        #expect(plan.next() == [])
        plan.rest(4, .keeping(byteCount: 4 << 20))
        #expect(plan.next() == [5])
    }

    @Test func `an item begun by another caller ignores the limits and counts as running`() {
        var plan = plan(limit: 1, ["a", "a", "a"])
        #expect(plan.next() == [0])
        let begun = [1, 1, 2].map { plan.begin(.init(id: $0, host: "a")) }
        #expect(begun == [true, false, false])
        plan.finish(0)
        #expect(plan.next() == [])
        plan.finish(1)
        #expect(plan.next() == [2])
    }

    @Test func `items of a busy host are skipped and keep their turn`() {
        var plan = plan(limit: 3, perHost: 1, ["a", "a", "b", "a", "c"])
        #expect(plan.next() == [0, 2, 4])
        plan.finish(2)
        #expect(plan.next() == [])
        plan.finish(0)
        #expect(plan.next() == [1])
    }

    @Test func `a higher priority goes first, and equal priorities keep their order`() {
        var plan = PrefetchPlan(limit: 9, limitPerHost: 9)
        for (id, priority) in [0.5, 0, 1, 0.5, 1, 0.25, .nan].enumerated() {
            plan.add(.init(id: id, host: id % 2 == 0 ? "a" : "b", priority: priority))
        }
        #expect(plan.next() == [2, 4, 0, 3, 6, 5, 1])
    }

    @Test func `a waiting item moves to the end of its new priority`() {
        var plan = plan(limit: 1, ["a", "b", "a", "b"])
        #expect(plan.next() == [0])
        plan.setPriority(1, of: 3)
        plan.setPriority(1, of: 2)
        plan.setPriority(1, of: 0)
        plan.setPriority(1, of: 99)
        #expect(plan.waitingCount == 3)
        #expect(plan.dropAll() == [3, 2, 1])
    }

    @Test func `a pause starts nothing`() {
        var plan = plan(["a"])
        plan.isPaused = true
        #expect(plan.next() == [])
        plan.isPaused = false
        #expect(plan.next() == [0])
    }

    @Test func `a new order replaces the old one without running items and duplicates`() {
        var plan = plan(["a", "a", "a", "a"])
        #expect(plan.next() == [0, 1])
        plan.replaceBacklog(with: [3, 1, 2, 3, 9].map { .init(id: $0, host: "a") })
        #expect(plan.waitingCount == 3)
        plan.finish(0)
        plan.finish(1)
        #expect(plan.next() == [3, 2])
        #expect(plan.dropAll() == [9])
    }

    @Test func `only a waiting item can be dropped, and only once`() {
        var plan = plan(limit: 1, ["a", "a", "a"])
        #expect(plan.next() == [0])
        #expect(plan.drop(0) == false)
        #expect(plan.drop(1) == true)
        #expect(plan.drop(1) == false)
        plan.finish(0)
        #expect(plan.next() == [2])
    }

    @Test func `finishing an item that is not running frees no place`() {
        var plan = plan(limit: 1, ["a", "a"])
        #expect(plan.next() == [0])
        plan.finish(7)
        #expect(plan.next() == [])
        plan.finish(0)
        plan.finish(0)
        #expect(plan.next() == [1])
        #expect(!plan.isIdle)
        plan.finish(1)
        #expect(plan.isIdle)
    }

    @Test func `a long backlog keeps its order while it is compacted`() {
        var plan = plan(limit: 3_000, perHost: 3_000, Array(repeating: "a", count: 5_000))
        var order: [Int] = []
        for step in 0..<5_000 {
            if step.isMultiple(of: 2_000) { (0..<step).forEach { plan.finish($0) } }
            order += plan.next()
        }
        #expect(order == Array(0..<order.count))
        #expect(order.count == 5_000)
    }

    @Test func `a resting item frees its place until it resumes`() {
        var plan = plan(limit: 1, ["a", "a", "a"])
        #expect(plan.next() == [0])
        plan.rest(0, .retry)
        #expect(plan.next() == [1])
        plan.resume(0)
        plan.finish(1)
        #expect(plan.next() == [])
        plan.finish(0)
        #expect(plan.next() == [2])
    }

    @Test func `a host that takes no requests blocks all its items but one, and no other hosts`() {
        var plan = plan(limit: 2, perHost: 1, ["a", "a", "b", "a", "b", "a"])
        #expect(plan.next() == [0, 2])
        plan.rest(0, .host)
        #expect(plan.blockedCount == 3)
        #expect(plan.waitingCount == 1)
        #expect(plan.next() == [5])
        plan.rest(5, .host)
        #expect(plan.next() == [])
        plan.finish(2)
        #expect(plan.next() == [4])
        plan.finish(4)
        #expect(plan.next() == [])
        #expect(!plan.isIdle)
        plan.resume(0)
        plan.resume(5)
        #expect((plan.blockedCount, plan.waitingCount) == (0, 2))
        plan.finish(0)
        plan.finish(5)
        #expect(plan.next() == [1])
    }

    @Test func `a host that takes no requests is probed by another item once one has failed`() {
        var plan = plan(limit: 4, perHost: 1, ["a", "a", "a", "a"])
        #expect(plan.next() == [0])
        plan.rest(0, .host)
        #expect(plan.next() == [3])
        plan.rest(3, .host)
        #expect(plan.next() == [])
        plan.resume(3)
        plan.rest(3, .retry)
        #expect(plan.next() == [2])
        plan.finish(2)
        #expect(plan.next() == [1])
    }

    @Test func `while several items wait for a retry, others of their host start in random order`() {
        var plan = plan(limit: 2, perHost: 2, Array(repeating: "a", count: 6))
        #expect(plan.next() == [0, 1])
        plan.rest(0, .retry)
        #expect(plan.next() == [2])
        plan.rest(1, .retry)
        #expect(plan.next() == [5])
        plan.finish(5)
        #expect(plan.next() == [4])
        for id in [0, 1] { plan.resume(id) }
        for id in [0, 1, 2, 4] { plan.finish(id) }
        #expect(plan.next() == [3])
    }

    @Test func `an item that ends while resting leaves no state`() {
        var plan = plan(limit: 1, ["a"])
        #expect(plan.next() == [0])
        plan.rest(0, .host)
        plan.rest(0, .host)
        plan.finish(0)
        #expect(plan.isIdle)
        plan.resume(0)
        #expect(plan.isIdle)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `no limit is exceeded and every item starts once`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let hosts = (0..<400).map { _ in "h\(Int.random(in: 0..<5, using: &random))" }
        var plan = plan(limit: 6, perHost: 2, hosts)
        var running: [Int] = []
        var started: [Int] = []
        while !plan.isIdle {
            let chosen = plan.next()
            started += chosen
            running += chosen
            #expect(running.count <= 6)
            #expect(Dictionary(grouping: running) { hosts[$0] }.values.allSatisfy { $0.count <= 2 })
            plan.finish(running.remove(at: Int.random(in: 0..<running.count, using: &random)))
        }
        #expect(started.sorted() == Array(0..<400))
    }
}
