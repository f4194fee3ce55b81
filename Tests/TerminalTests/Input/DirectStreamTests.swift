import Testing

@testable import AlcedoTerminal

@MainActor @Suite(.timeLimit(.minutes(1))) struct DirectStreamTests {
    @Test func `elements arrive in order, followed by the end`() async {
        let stream = DirectStream<Int>()
        for number in 0..<5 { stream.yield(number) }
        stream.finish()
        stream.yield(9)
        var all: [Int] = []
        for await number in stream { all.append(number) }
        #expect(all == [0, 1, 2, 3, 4])
    }

    @Test func `elements above the limit are dropped`() async {
        let stream = DirectStream<Int>(limit: 2)
        for number in 0..<5 { stream.yield(number) }
        var iterator = stream.makeAsyncIterator()
        #expect(await iterator.next(isolation: MainActor.shared) == 0)
        // There is room for one again.
        stream.yield(5)
        stream.yield(6)
        stream.finish()
        #expect(await iterator.next(isolation: MainActor.shared) == 1)
        #expect(await iterator.next(isolation: MainActor.shared) == 5)
        #expect(await iterator.next(isolation: MainActor.shared) == nil)
    }

    @Test func `elements from any thread reach the waiter`() async {
        let stream = DirectStream<Int>()
        let filling = Task.detached {
            for number in 0..<1000 { stream.yield(number) }
            stream.finish()
        }
        var all: [Int] = []
        for await number in stream { all.append(number) }
        await filling.value
        #expect(all == Array(0..<1000))
    }

    @Test func `a cancelled task stops waiting`() async {
        let stream = DirectStream<Int>()
        for _ in 0..<200 {
            let waiting = Task { for await _ in stream {} }
            await Task.yield()
            waiting.cancel()
            await waiting.value
        }
    }
}
