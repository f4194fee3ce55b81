import Testing

@testable import Retrying

@Suite(.timeLimit(.minutes(1)))
struct ObservableValueTests {
    @Test func `a matching state is returned at once`() async {
        #expect(await ObservableValue(3).first { $0 == 3 } == 3)
    }

    @Test func `a waiter wakes on the first matching value`() async {
        let observable = ObservableValue(0)
        async let big = observable.first { $0 > 10 }
        for value in [5, 11, 4] {
            await Task.yield()
            observable.update { $0 = value }
        }
        // Whether the waiter came before or after a change, only a value that passes may be returned.
        observable.update { $0 = 11 }
        #expect(await big == 11)
    }

    @Test func `a cancelled waiter gets nil`() async {
        let observable = ObservableValue(0)
        let waiter = Task { await observable.first { $0 == 1 } }
        waiter.cancel()
        #expect(await waiter.value == nil)
    }

    @Test func `every waiter wakes at its own state`() async {
        let observable = ObservableValue(0)
        await withTaskGroup { group in
            for wanted in 1...100 {
                group.addTask { await observable.first { $0 >= wanted } ?? -1 }
            }
            for value in 1...100 { observable.update { $0 = value } }
            var count = 0
            for await value in group where value > 0 { count += 1 }
            #expect(count == 100)
        }
    }
}
