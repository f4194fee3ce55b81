import FaultServer
import Foundation
import ImageTestSupport
import Retrying
import Synchronization
import TestSupport
import Testing

@testable import ImageLoading

/// A list over three hosts, one of which is out of order for two minutes; all in virtual time.
@Suite(.timeLimit(.minutes(3))) struct OutageTests {
    private let clock = ManualClock()

    @Test func `an outage of a host costs few attempts, does not slow other hosts, and ends with the outage`()
        async throws
    {
        // Given 10,000 pictures on three hosts that take 100 ms each, six at a time and host.
        let network = VirtualNetwork(clock: clock, picture: try Pictures.png(), outage: .seconds(120))
        let retrier = withExponentialBackoff(maxDelay: .seconds(30)).giveUpAfter(maxAttempts: 4).timed(by: clock)
            .randomized(by: { SeededRandom(seed: 8) })
        let health = HostHealth(
            waitLimit: .exactly(.seconds(180)), clock: clock, random: { SeededRandom(seed: 7) })
        let prefetcher = prefetcher(network, health, retrier)

        // When they are prefetched while "sick" answers 503 for the first two minutes.
        let outcome = try await run(prefetcher, on: network, health, items: 10_000)

        // Then the sick host sees its failures in a row, one attempt a probe, and no more.
        #expect(network.attempts(on: .sick, in: 0..<120).count <= 5 + 6 + 20)
        let most = 3_333 * 11 / 10 + 20
        #expect(network.attempts(on: .sick).count <= most)
        // And the others run at their full speed, 60 pictures a second each.
        for host in [VirtualNetwork.Host.well, .fine] {
            let attempts = network.attempts(on: host)
            #expect(attempts.count == attempts.count(where: \.isGood))
            #expect(try #require(attempts.last).time <= .seconds(Double(attempts.count) / 60 * 1.1))
        }
        // And within 30 s of its recovery the sick host is back at 90 % of that speed.
        #expect(network.attempts(on: .sick, in: 150..<160).count(where: \.isGood) >= 540)
        // And all but those few whose attempts were used up as probes have come.
        #expect(outcome.finished + outcome.failed == 10_000)
        #expect(outcome.failed <= 6)
    }

    @Test func `items of a host that stays down fail after the wait limit, in little time`() async throws {
        let network = VirtualNetwork(clock: clock, picture: try Pictures.png(), outage: .seconds(100_000))
        let health = HostHealth(waitLimit: .exactly(.seconds(60)), clock: clock, random: { SeededRandom(seed: 7) })

        let outcome = try await run(prefetcher(network, health, nil), on: network, health, items: 3_000)

        #expect(outcome.finished == 2_000)
        #expect(outcome.failed == 1_000)
        #expect(clock.now.offset < .seconds(90))
        #expect(network.attempts(on: .sick).count < 30)
    }

    @Test func `over real connections a failing host costs little and others are unaffected`() async throws {
        // Given three servers, one of which answers its first 40 requests with 503; waits take no time.
        let body = Array(try Pictures.png())
        let answered = Mutex(0)
        let sick = try await FaultServer.start { _, _ in
            answered.withLock { count in
                count += 1
                return count <= 40 ? .status(503) : .picture(body)
            }
        }
        let others = [
            try await FaultServer.start { _, _ in .picture(body) },
            try await FaultServer.start { _, _ in .picture(body) },
        ]
        let clock = ManualClock(advancesItself: true)
        let retrier = withExponentialBackoff().giveUpAfter(maxAttempts: 4).timed(by: clock)
        let prefetcher = prefetcher(
            ImageDownloader(), HostHealth(waitLimit: .exactly(.seconds(100_000)), clock: clock), retrier)

        // When 600 pictures are prefetched.
        let servers = [sick] + others
        for id in 0..<600 {
            let url = try #require(URL(string: servers[id % 3].url("/\(id).png")))
            await prefetcher.add(PrefetchItem(id: id, source: .network(url)))
        }
        await prefetcher.finish()
        var ends = (finished: 0, failed: 0)
        for await event in prefetcher.events {
            if case .finished = event { ends.finished += 1 }
            if case .failed = event { ends.failed += 1 }
        }

        // Then the sick host saw little more than its 200 requests, the others theirs exactly, and almost all came.
        #expect(await sick.requests.count <= 200 * 11 / 10 + 40)
        for server in others { #expect(await server.requests.count == 200) }
        #expect(ends.finished + ends.failed == 600)
        #expect(ends.failed <= 40 / 4 + 6)
        for server in servers { await server.stop() }
    }

    private func prefetcher(
        _ downloader: any DataDownloading, _ hosts: HostHealth, _ retrier: Retrier?
    ) -> ImagePrefetcher {
        var options = ImageOptions()
        options.download.retryStrategy = retrier
        return ImagePrefetcher(
            pipeline: ImagePipeline(cache: ImageCache(disk: nil), downloader: downloader, hosts: hosts),
            options: options,
            maxConcurrentDownloads: 32, maxPerHost: 6)
    }

    /// Feeds the items and moves the time on whenever nothing can happen before a sleep ends.
    private func run(
        _ prefetcher: ImagePrefetcher, on network: VirtualNetwork, _ health: HostHealth, items: Int
    ) async throws -> (finished: Int, failed: Int) {
        let sources = try (0..<items).map { try network.source($0) }
        let isFed = Recorder<Bool>()
        let feeding = Task {
            for (id, source) in sources.enumerated() { await prefetcher.add(PrefetchItem(id: id, source: source)) }
            isFed.add(true)
            await prefetcher.finish()
        }
        let counting = Task {
            var counts = (finished: 0, failed: 0)
            for await event in prefetcher.events {
                switch event {
                case .finished: counts.finished += 1
                case .failed: counts.failed += 1
                case .load, .hostChanged: continue
                }
            }
            return counts
        }
        let timekeeping = Task {
            while !Task.isCancelled {
                if await isAtRest(prefetcher, health, isFed: !isFed.all.isEmpty) { clock.advanceToNextSleeper() }
                await Task.yield()
            }
        }
        let counts = await counting.value
        timekeeping.cancel()
        await feeding.value
        return counts
    }
}

extension OutageTests {
    /// Whether nothing can happen before a sleep ends.
    ///
    /// Every active item sleeps, in a transfer, before a retry or until its host takes requests; no item is being looked
    /// for in the cache; and the list is at its end or waits for room. A request that the sick host's recovery has woken
    /// counts as a sleep on the clock until it runs.
    private func isAtRest(_ prefetcher: ImagePrefetcher, _ health: HostHealth, isFed: Bool) async -> Bool {
        let sleepers = clock.sleeperCount
        guard sleepers > 0, await prefetcher.lookAhead.count == 0, await prefetcher.activeCount == sleepers else {
            return false
        }
        let isWaitingForRoom = await prefetcher.arrivingCount > 0
        return (isFed || isWaitingForRoom) && !health.isWakingRequests(of: VirtualNetwork.Host.sick.rawValue)
            && clock.sleeperCount == sleepers
    }
}

/// Three hosts that take 100 ms of the clock for each request; the sick one answers 503 while its outage lasts.
private final class VirtualNetwork: DataDownloading {
    enum Host: String, CaseIterable { case sick, well, fine }

    struct Attempt: Sendable {
        let time: Duration
        let isGood: Bool
    }

    private let clock: ManualClock
    private let picture: Data
    private let outage: Duration
    private let log = Mutex<[String: [Attempt]]>([:])

    init(clock: ManualClock, picture: Data, outage: Duration) {
        self.clock = clock
        self.picture = picture
        self.outage = outage
    }

    func source(_ number: Int) throws -> Source {
        let host = Host.allCases[number % Host.allCases.count]
        return .network(try #require(URL(string: "http://\(host.rawValue)/\(number).png")))
    }

    /// The attempts at a host that began in a span of seconds, by their begin.
    func attempts(on host: Host, in span: Range<Int> = 0..<1_000_000) -> [Attempt] {
        let span = Duration.seconds(span.lowerBound)..<(.seconds(span.upperBound))
        return log.withLock { $0[host.rawValue] ?? [] }.filter { span.contains($0.time) }
            .sorted { $0.time < $1.time }
    }

    func download(
        _ request: DownloadRequest, priority: Double, onProgress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws(DownloadError) -> Download {
        let (start, host) = (clock.now, request.url.host() ?? "")
        let isGood = host != Host.sick.rawValue || start.offset >= outage
        log.withLock { $0[host, default: []].append(Attempt(time: start.offset, isGood: isGood)) }
        do { try await clock.sleep(until: start.advanced(by: .milliseconds(100)), tolerance: nil) } catch {
            throw .cancelled
        }
        guard isGood else { throw .response(.invalidHTTPStatusCode(503, retryAfter: nil)) }
        return .of(picture, from: request.url)
    }
}
