import Foundation
import Retrying
import Synchronization
import TestSupport
import Testing

@testable import ImageLoading

/// A list over three hosts, one of which is out of order for two minutes; all in virtual time.
@Suite(.timeLimit(.minutes(3))) struct OutageTests {
    private static let outage = Duration.seconds(120)
    private let clock = ManualClock()

    @Test func `a host's outage costs few attempts, does not slow the others, and is over when it is over`()
        async throws
    {
        // Given 10,000 pictures on three hosts that take 100 ms each, six at a time and host.
        let network = VirtualNetwork(clock: clock, picture: try Pictures.png(), outage: Self.outage)
        let pipeline = ImagePipeline(
            cache: ImageCache(disk: nil), downloader: network,
            hosts: HostHealth(clock: clock, random: { SeededRandom(seed: 7) }))
        let retrier = withExponentialBackoff(maxDelay: .seconds(30)).giveUpAfter(maxAttempts: 4).timed(by: clock)
            .randomized(by: { SeededRandom(seed: 8) })
        let prefetcher = ImagePrefetcher(
            pipeline: pipeline, options: [.retryStrategy(retrier)], maxConcurrentDownloads: 32, maxPerHost: 6)

        // When they are prefetched while "sick" answers 503 for the first two minutes.
        let outcome = try await run(prefetcher, items: 10_000)

        // Then the sick host sees its failures in a row, one attempt a probe, and no more.
        let inOutage = network.attempts(on: "sick", in: .zero..<Self.outage)
        #expect(inOutage.count <= 5 + 6 + 20)
        #expect(network.attempts(on: "sick", in: .zero..<(.seconds(10_000))).count <= 3_333 * 11 / 10 + 20)
        // And the others run at their full speed, 60 pictures a second each.
        for host in ["well", "fine"] {
            let attempts = network.attempts(on: host, in: .zero..<(.seconds(10_000)))
            #expect(attempts.count == attempts.count(where: \.isGood))
            #expect(try #require(attempts.last).time <= .seconds(Double(attempts.count) / 60 * 1.1))
        }
        // And within 30 s of its recovery the sick host is back at 90 % of that speed.
        let recovered = network.attempts(on: "sick", in: .seconds(150)..<(.seconds(160)))
        #expect(recovered.count(where: \.isGood) >= 540)
        // And all but those few whose attempts were used up as probes have come.
        #expect(outcome.finished + outcome.failed == 10_000)
        #expect(outcome.failed <= 6)
    }

    @Test func `items of a host that stays out of order fail after the patience, in little time`() async throws {
        let network = VirtualNetwork(clock: clock, picture: try Pictures.png(), outage: .seconds(100_000))
        let pipeline = ImagePipeline(
            cache: ImageCache(disk: nil), downloader: network,
            hosts: HostHealth(patience: .seconds(60), clock: clock, random: { SeededRandom(seed: 7) }))
        let prefetcher = ImagePrefetcher(pipeline: pipeline, maxConcurrentDownloads: 32, maxPerHost: 6)

        let outcome = try await run(prefetcher, items: 3_000)

        #expect(outcome.finished == 2_000)
        #expect(outcome.failed == 1_000)
        #expect(clock.now.offset < .seconds(90))
        #expect(network.attempts(on: "sick", in: .zero..<(.seconds(10_000))).count < 30)
    }

    /// Feeds the items and moves the time on whenever nothing can happen before a sleep ends.
    private func run(_ prefetcher: ImagePrefetcher, items: Int) async throws -> (finished: Int, failed: Int) {
        let hosts = ["sick", "well", "fine"]
        let feeding = Task {
            for id in 0..<items {
                guard let url = URL(string: "http://\(hosts[id % 3])/\(id)") else { continue }
                await prefetcher.add(PrefetchItem(id: id, source: .network(url)))
            }
            await prefetcher.finish()
        }
        let counting = Task {
            var counts = (finished: 0, failed: 0)
            for await event in prefetcher.events {
                switch event {
                case .finished: counts.finished += 1
                case .failed: counts.failed += 1
                case .started, .progress, .retrying, .parked: continue
                }
            }
            return counts
        }
        let timekeeping = Task {
            while !Task.isCancelled {
                if await isAtRest(prefetcher) { clock.advanceToNextSleeper() }
            }
        }
        let counts = await counting.value
        timekeeping.cancel()
        await feeding.value
        return counts
    }
}

extension OutageTests {
    /// Whether every active item sleeps, in a transfer, before a retry or until its host takes requests, and goes on
    /// sleeping while all that is ready to run gets its turns.
    private func isAtRest(_ prefetcher: ImagePrefetcher) async -> Bool {
        for _ in 0..<50 {
            let active = await prefetcher.activeCount
            guard active > 0, clock.sleeperCount == active else { return false }
            await Task.yield()
        }
        return true
    }
}

/// Answers each transfer after 100 ms of the clock; the host "sick" with 503 while its outage lasts.
private final class VirtualNetwork: DataDownloading {
    struct Attempt: Sendable {
        let time: Duration
        let isGood: Bool
    }

    private let clock: ManualClock
    private let picture: Data
    private let outage: Duration
    private let attempts = Mutex<[String: [Attempt]]>([:])

    init(clock: ManualClock, picture: Data, outage: Duration) {
        self.clock = clock
        self.picture = picture
        self.outage = outage
    }

    /// The attempts at a host that began in a span of time, by their begin.
    func attempts(on host: String, in span: Range<Duration>) -> [Attempt] {
        attempts.withLock { $0[host] ?? [] }.filter { span.contains($0.time) }.sorted { $0.time < $1.time }
    }

    func download(
        _ request: DownloadRequest, priority: Double, onProgress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws(ImageError) -> Download {
        let start = clock.now.offset
        let host = request.url.host() ?? ""
        let isGood = host != "sick" || start >= outage
        attempts.withLock { $0[host, default: []].append(Attempt(time: start, isGood: isGood)) }
        do { try await clock.sleep(until: clock.now.advanced(by: .milliseconds(100)), tolerance: nil) } catch {
            throw .cancelled
        }
        guard isGood else { throw .response(.invalidHTTPStatusCode(503, retryAfter: nil)) }
        return .of(picture, from: request.url)
    }
}
