import Raster
import TestSupport
import Testing

@testable import ImageLoading

/// Bounds the memory of pictures that are decoded at the same time.
@Suite(.timeLimit(.minutes(1)))
struct ResourceBudgetTests {
    private let budget = ResourceBudget(100)
    private let order = Recorder<String>()

    /// A task that takes a part, notes it, and gives it back at once.
    private func taking(_ bytes: Int, _ name: String, priority: Double = 0.5) async -> Task<Void, any Error> {
        let waiting = budget.waitingCount
        let task = Task { [budget, order] in
            let lease = try await budget.lease(bytes, priority: priority)
            withExtendedLifetime(lease) { order.add(name) }
        }
        await until { budget.waitingCount != waiting }
        return task
    }

    @Test func `leases within the budget are granted at once, others when there is room`() async throws {
        var first: ResourceBudget.Lease? = try await budget.lease(60, priority: 0.5)
        let second = try await budget.lease(40, priority: 0.5)
        let third = await taking(50, "third")
        #expect(order.all.isEmpty)
        withExtendedLifetime(first) {}
        first = nil
        try await third.value
        #expect(order.all == ["third"])
        withExtendedLifetime(second) {}
    }

    @Test func `a request larger than the budget runs alone`() async throws {
        var small: ResourceBudget.Lease? = try await budget.lease(1, priority: 0.5)
        let large = await taking(1_000, "large")
        #expect(order.all.isEmpty)
        withExtendedLifetime(small) {}
        small = nil
        try await large.value
        #expect(budget.waitingCount == 0)
    }

    @Test func `the highest priority is next, however large, then the first in order`() async throws {
        var all: ResourceBudget.Lease? = try await budget.lease(100, priority: 0.5)
        let tasks = [
            await taking(60, "a"), await taking(60, "b"), await taking(100, "urgent", priority: 1),
        ]
        withExtendedLifetime(all) {}
        all = nil
        for task in tasks { try await task.value }
        #expect(order.all == ["urgent", "a", "b"])
    }

    @Test func `a cancelled request stops waiting and takes nothing`() async throws {
        var all: ResourceBudget.Lease? = try await budget.lease(100, priority: 0.5)
        let task = await taking(100, "cancelled")
        task.cancel()
        await #expect(throws: ImageError.cancelled) { try await task.value }
        let gone = Task { [budget] in
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await budget.lease(1, priority: 0.5)
        }
        await #expect(throws: ImageError.cancelled) { try await gone.value }
        withExtendedLifetime(all) {}
        all = nil
        _ = try await budget.lease(100, priority: 0.5)
        #expect(order.all.isEmpty)
    }

    @Test(
        arguments: [
            (ImageFormat.jpeg, 1_000, nil, 0, 6_000_000), (.jpeg, 1_000, nil, 2, 12_000_000),
            (.jpeg, 1_000, PixelSize(width: 100, height: 100), 1, 120_000),
            (.png, 1_000, PixelSize(width: 100, height: 100), 0, 4_040_000), (.webP, 1_000, nil, 0, 8_000_000),
            // No decoder accepts this size.
            (.bmp, 1 << 30, PixelSize(width: 64, height: 64), 1, .max),
        ] as [(ImageFormat, Int, PixelSize?, Int, Int)])
    func `the memory of a picture is its pixels and working buffers`(
        format: ImageFormat, side: Int, box: PixelSize?, steps: Int, bytes: Int
    ) {
        let header = ImageHeader(format: format, size: PixelSize(width: side, height: side), frameCount: 1)
        #expect(header.memory(within: box, steps: steps) == bytes)
    }
}
