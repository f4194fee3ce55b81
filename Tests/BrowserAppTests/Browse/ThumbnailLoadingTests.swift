import AlcedoBrowserCore
import FaultServer
import Raster
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

@MainActor @Suite(.timeLimit(.minutes(1))) struct ThumbnailLoadingTests {
    private let box = PixelSize(width: 20, height: 20)

    /// Items that begin to load, each of which ends when its gate opens.
    @MainActor
    private final class Loads {
        private(set) var begun: [Int] = []
        private(set) var cancelled: [Int] = []
        private var gates: [Int: FaultGate] = [:]
        var failing: Set<Int> = []

        func load(_ item: ItemID) async -> Bool {
            begun.append(item.rawValue)
            await gate(item.rawValue).wait()
            if Task.isCancelled { cancelled.append(item.rawValue) }
            return !failing.contains(item.rawValue)
        }

        func gate(_ item: Int) -> FaultGate {
            let gate = gates[item] ?? FaultGate()
            gates[item] = gate
            return gate
        }
    }

    private func items(_ numbers: Range<Int>) -> [ItemID] { numbers.map { ItemID($0) } }

    @Test func `a limited number of thumbnails load at a time, in the requested order`() async throws {
        let loads = Loads()
        let loading = ThumbnailLoading(width: 2) { item, _ in await loads.load(item) }
        loading.begin(items(0..<4), box: box)
        try await eventually("two") { loads.begun == [0, 1] }
        loads.gate(1).open()
        try await eventually("the third") { loads.begun == [0, 1, 2] }
        loading.stop()
    }

    @Test func `the visible ones are loaded quickly before any is loaded whole`() async throws {
        let (loads, quick) = (Loads(), Loads())
        for item in 0..<4 { quick.gate(item).open() }
        // What the quick load shows of the first is its thumbnail, what it shows of the second is only like it.
        quick.failing = [1]
        let loading = ThumbnailLoading(width: 1) { item, _ in
            await quick.load(item)
        } load: { item, _ in
            await loads.load(item)
        }
        loading.begin(items(0..<4), box: box, visible: 2)
        #expect(loading.isQuick)
        try await eventually("the second, whole") { loads.begun == [1] }
        #expect(quick.begun == [0, 1] && !loading.isQuick)
        // The next page is loaded quickly once it is visible.
        loading.begin(items(1..<4), box: box, visible: 3)
        loads.gate(1).open()
        try await eventually("the others") { quick.begun == [0, 1, 2, 3] }
        #expect(loads.begun == [1])
        loading.stop()
    }

    @Test func `an item that a new request keeps while it is loaded quickly is loaded whole after that`() async throws {
        let (loads, quick) = (Loads(), Loads())
        quick.failing = [0]
        let loading = ThumbnailLoading(width: 2) { item, _ in
            await quick.load(item)
        } load: { item, _ in
            await loads.load(item)
        }
        loading.begin(items(0..<1), box: box, visible: 1)
        try await eventually("the quick load") { quick.begun == [0] }
        loading.begin(items(0..<2), box: box, visible: 1)
        try await eventually("the other item") { loads.begun == [1] }
        quick.gate(0).open()
        try await eventually("the whole load") { loads.begun == [1, 0] }
        loading.stop()
    }

    @Test func `a new request cancels the loads that it no longer contains`() async throws {
        let loads = Loads()
        let loading = ThumbnailLoading(width: 2) { item, _ in await loads.load(item) }
        loading.begin(items(0..<2), box: box)
        try await eventually("two") { loads.begun == [0, 1] }
        loading.begin(items(1..<3), box: box)
        try await eventually("the new one") { loads.begun == [0, 1, 2] && loads.cancelled == [0] }
        loading.stop()
    }

    @Test func `a loaded thumbnail is loaded again only for another box`() async throws {
        let loads = Loads()
        for item in 0..<2 { loads.gate(item).open() }
        let loading = ThumbnailLoading { item, _ in await loads.load(item) }
        loading.begin(items(0..<1), box: box)
        try await eventually("one") { loads.begun == [0] }
        loading.begin(items(0..<2), box: box)
        try await eventually("the other") { loads.begun == [0, 1] }
        loading.begin(items(0..<1), box: PixelSize(width: 9, height: 9))
        try await eventually("again") { loads.begun == [0, 1, 0] }
        loading.stop()
    }

    @Test func `a failed thumbnail is loaded again with the next request`() async throws {
        let loads = Loads()
        loads.failing = [0]
        for item in 0..<2 { loads.gate(item).open() }
        let loading = ThumbnailLoading { item, _ in await loads.load(item) }
        loading.begin(items(0..<2), box: box)
        try await eventually("both") { loads.begun.count == 2 }
        loading.begin(items(0..<2), box: box)
        try await eventually("again") { loads.begun == [0, 1, 0] }
        loading.stop()
    }
}
