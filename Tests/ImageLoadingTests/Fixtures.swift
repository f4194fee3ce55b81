import Foundation
import Raster
import Synchronization
import TestSupport

@testable import DiskCache
@testable import HTTPDownload
@testable import ImageCodecs
@testable import ImageLoading

/// A date that moves only when told.
final class ManualDate: Sendable {
    private let date = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

    var now: Date { date.withLock { $0 } }

    func advance(bySeconds seconds: TimeInterval) { date.withLock { $0 += seconds } }
}

/// A door that stays shut until it is opened; waiting at an open one takes no time.
actor Gate {
    private var isOpen = false
    private var arrived = 0
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    /// Waits for the gate to open.
    func pass() async {
        arrived += 1
        for watcher in watchers where watcher.count <= arrived { watcher.continuation.resume() }
        watchers.removeAll { $0.count <= arrived }
        if !isOpen { await withCheckedContinuation { waiters.append($0) } }
    }

    /// Waits until so many have come to the gate, since it was made.
    func untilArrived(_ count: Int = 1) async {
        if arrived < count { await withCheckedContinuation { watchers.append((count, $0)) } }
    }

    func open() {
        isOpen = true
        waiters.forEach { $0.resume() }
        waiters = []
    }
}

extension Pictures {
    static func image(_ pixels: PixelBuffer) -> Image {
        Image(pixels: pixels, originalSize: pixels.size, format: .png, frameCount: 1, byteCount: 0)
    }

    static func png(width: Int = 8, height: Int = 6, alpha: UInt8 = 255) throws -> Data {
        try gradient(PixelSize(width: width, height: height), alpha: alpha).pngData()
    }
}
