import AlcedoBrowserCore
import Raster
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

@MainActor @Suite(.timeLimit(.minutes(1))) struct NeighbourPreparationTests {
    private let box = PixelSize(width: 4, height: 4)

    @Test func `items are prepared in order`() async {
        let (done, sink) = AsyncStream.makeStream(of: ItemID.self)
        let preparation = NeighbourPreparation { item, _ in sink.yield(item) }
        preparation.begin([ItemID(2), ItemID(1)], box: box)
        var order: [ItemID] = []
        for await item in done {
            order.append(item)
            if order.count == 2 { break }
        }
        #expect(order == [ItemID(2), ItemID(1)])
    }

    @Test func `repeatLast performs the last action again`() async {
        let (done, sink) = AsyncStream.makeStream(of: ItemID.self)
        let preparation = NeighbourPreparation { item, _ in sink.yield(item) }
        var items = done.makeAsyncIterator()
        preparation.repeatLast()
        preparation.begin([ItemID(3)], box: box)
        #expect(await items.next() == ItemID(3))
        preparation.repeatLast()
        #expect(await items.next() == ItemID(3))
    }

    @Test func `beginning another list cancels the remaining items`() async {
        // Given an item in work that takes until it is cancelled
        let (events, sink) = AsyncStream.makeStream(of: String.self)
        let preparation = NeighbourPreparation { item, _ in
            sink.yield("begins \(item.rawValue)")
            if item == ItemID(1) {
                await withTaskCancellationHandler {
                    for await _ in AsyncStream<Void>.makeStream().stream {}
                } onCancel: {
                    sink.yield("cancelled")
                }
            }
        }
        var told = events.makeAsyncIterator()
        preparation.begin([ItemID(1), ItemID(2)], box: box)
        #expect(await told.next() == "begins 1")
        // When something else is chosen
        preparation.begin([ItemID(7)], box: box)
        // Then the rest of the old items is left out
        #expect(await told.next() == "cancelled")
        #expect(await told.next() == "begins 7")
    }
}
