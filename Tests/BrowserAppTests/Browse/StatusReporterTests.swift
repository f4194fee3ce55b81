import AlcedoBrowserCore
import AlcedoHTTPRequests
import Foundation
import ImageLoading
import Retrying
import Synchronization
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

@Suite(.timeLimit(.minutes(1))) struct StatusReporterTests {
    private let inbox = Inbox<BrowseMessage>()
    private let clock = Clock()
    private let item = ItemID(7)

    /// Time that stands still until it is told.
    private final class Clock: Sendable {
        let now = Mutex(Duration.zero)
    }

    private var reporter: StatusReporter {
        StatusReporter(inbox: inbox, attempts: 4) { [clock] in clock.now.withLock { $0 } }
    }

    private func pass(_ duration: Duration) { clock.now.withLock { $0 += duration } }

    @Test func `the rate is computed from the bytes received since the start`() {
        // Given a transfer that began two seconds ago
        let reporter = reporter
        reporter.report(item, .started)
        pass(.seconds(2))
        // When 4,000 bytes have come
        reporter.report(item, .progress(DownloadProgress(received: 4000, total: 8000)))
        // Then that is 2,000 a second
        #expect(
            inbox.drain() == [
                .statusChanged(item, .connecting),
                .statusChanged(item, .loading(received: 4000, total: 8000, rate: 2000)),
            ])
    }

    @Test func `a running transfer is shown with its times until the first byte`() {
        let phases = DownloadMetrics.Phases(lookup: .milliseconds(3), connect: .milliseconds(14))
        reporter.report(
            item,
            .progress(
                DownloadProgress(received: 1, total: nil, phases: phases, firstByte: .milliseconds(95))))
        let times = TransferTimes(phases, firstByte: .milliseconds(95))
        #expect(times.text == "name 3 ms, connected in 14 ms, first byte 95 ms")
        #expect(
            inbox.drain() == [.statusChanged(item, .loading(received: 1, total: nil, rate: nil, times: times))])
    }

    @Test func `the rate of a joined transfer counts from the join`() {
        // Given a transfer that is half done when it is first heard of
        let reporter = reporter
        reporter.report(item, .progress(DownloadProgress(received: 5000, total: nil)))
        pass(.seconds(1))
        // When 300 bytes more come within a second
        reporter.report(item, .progress(DownloadProgress(received: 5300, total: nil)))
        // Then no rate is made up at first, and it counts only what was seen to come
        #expect(
            inbox.drain() == [
                .statusChanged(item, .loading(received: 5000, total: nil, rate: nil)),
                .statusChanged(item, .loading(received: 5300, total: nil, rate: 300)),
            ])
    }

    @Test func `a retry is shown with its attempt number and delay`() {
        let error = ImageError.response(.invalidHTTPStatusCode(503, retryAfter: nil))
        reporter.report(item, .retrying(attempt: 2, error: error, delay: .milliseconds(1200)))
        #expect(
            inbox.drain() == [
                .statusChanged(
                    item, .retrying(attempt: 2, of: 4, seconds: 2, reason: "503 Service Unavailable"))
            ])
    }

    @Test func `an item waiting for its host keeps its own last answer`() {
        let reporter = reporter
        let error = ImageError.response(.invalidHTTPStatusCode(500, retryAfter: nil))
        reporter.report(item, .started)
        reporter.report(item, .retrying(attempt: 2, error: error, delay: .seconds(1)))
        reporter.report(item, .parked(.circuitOpen(for: .seconds(7))))
        #expect(
            inbox.drain().last
                == .statusChanged(
                    item, .parked(seconds: 7, reason: "host failing", answer: "500 Internal Server Error")))
        #expect(reporter.history(of: item)?.attempts == 1)
        // The next attempt is the second, and the next load begins anew.
        reporter.report(item, .started)
        #expect(reporter.history(of: item)?.attempts == 2)
        reporter.finish(item, .failed(reason: "cut off"))
        #expect(reporter.history(of: item)?.attempts == 2 && reporter.history(of: item)?.answer == "cut off")
        reporter.report(item, .started)
        #expect(reporter.history(of: item)?.attempts == 1 && reporter.history(of: item)?.answer == "")
        reporter.finish(item, .onDisk(bytes: 9))
        #expect(reporter.history(of: item)?.answer == "")
        reporter.finish(item, .waiting)
        #expect(reporter.history(of: item) == nil)
    }

    @Test func `a file that is no picture was not sent by a server`() {
        reporter.report(.failed(7, .response(.notAnImage("text")))) { _ in Source(url: URL(filePath: "/a.jpg")) }
        #expect(
            inbox.drain().last
                == .failureKnown(
                    item,
                    FailureFacts(title: "not an image: text", detail: "The file is not a picture.", attempts: 1)))
    }

    @Test func `a picture that cannot be stored is reported as removed from the caches`() {
        reporter.report(.failed(7, .cache(.cannotStore("read-only file system")))) { _ in nil }
        #expect(inbox.drain() == [.removedFromCaches([item])])
    }

    @Test func `a cancelled prefetch leaves the item waiting`() {
        reporter.report(.failed(7, .cancelled)) { _ in nil }
        reporter.report(.failed(7, .response(.notAnImage("HTML")))) { _ in nil }
        #expect(
            inbox.drain() == [
                .statusChanged(item, .waiting),
                .statusChanged(item, .failed(reason: "not an image: HTML")),
                .failureKnown(
                    item,
                    FailureFacts(
                        title: "not an image: HTML",
                        detail: "The server sent something other than a picture; nothing was cached.", attempts: 1)),
            ])
    }

    @Test func `an item counts as finished until its final status and prefetch event have been read`() {
        let reporter = reporter
        reporter.report(item, .started)
        inbox.drain().forEach(reporter.didRead)
        #expect(!reporter.isFinishedUnread(item))
        // Given two loads of it, of which the prefetcher tells one before its event
        reporter.didFinish(item)
        #expect(reporter.isFinishedUnread(item))
        reporter.finish(item, .failed(reason: "404"))
        inbox.drain().forEach(reporter.didRead)
        #expect(reporter.isFinishedUnread(item))
        // When the event has been read, too
        reporter.report(.failed(item.rawValue, .cancelled)) { _ in nil }
        inbox.drain().forEach(reporter.didRead)
        #expect(!reporter.isFinishedUnread(item))
    }
}
