import DemoServer
import Foundation
import Retrying
import TestSupport
import Testing

@testable import ImageLoading

/// A list over three hosts, one of which is out of order for two minutes; all in virtual time.
@Suite(.timeLimit(.minutes(3))) struct OutageTests {
    private let clock = ManualClock()

    @Test func `a host's outage costs few attempts, does not slow the others, and is over when it is over`()
        async throws
    {
        // Given 10,000 pictures on three hosts that take 100 ms each, six at a time and host.
        let network = try await VirtualNetwork(clock: clock, picture: try Pictures.png(), outage: .seconds(120))
        let retrier = withExponentialBackoff(maxDelay: .seconds(30)).giveUpAfter(maxAttempts: 4).timed(by: clock)
            .randomized(by: { SeededRandom(seed: 8) })
        let prefetcher = prefetcher(HostHealth(clock: clock, random: { SeededRandom(seed: 7) }), retrier)

        // When they are prefetched while "sick" answers 503 for the first two minutes.
        let outcome = try await run(prefetcher, on: network, items: 10_000)

        // Then the sick host sees its failures in a row, one attempt a probe, and no more.
        #expect(network.attempts(on: .sick, in: 0..<120).count <= 5 + 6 + 20)
        #expect(network.attempts(on: .sick).count <= 3_333 * 11 / 10 + 20)
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

    @Test func `items of a host that stays out of order fail after the patience, in little time`() async throws {
        let network = try await VirtualNetwork(clock: clock, picture: try Pictures.png(), outage: .seconds(100_000))
        let health = HostHealth(patience: .seconds(60), clock: clock, random: { SeededRandom(seed: 7) })

        let outcome = try await run(prefetcher(health, nil), on: network, items: 3_000)

        #expect(outcome.finished == 2_000)
        #expect(outcome.failed == 1_000)
        #expect(clock.now.offset < .seconds(90))
        #expect(network.attempts(on: .sick).count < 30)
    }

    private func prefetcher(_ hosts: HostHealth, _ retrier: Retrier?) -> ImagePrefetcher {
        var options = ImageOptions()
        options.download.retryStrategy = retrier
        return ImagePrefetcher(
            pipeline: ImagePipeline(cache: ImageCache(disk: nil), hosts: hosts), options: options,
            maxConcurrentDownloads: 32, maxPerHost: 6)
    }

    /// Feeds the items and moves the time on whenever nothing can happen before a sleep ends.
    private func run(
        _ prefetcher: ImagePrefetcher, on network: VirtualNetwork, items: Int
    ) async throws -> (finished: Int, failed: Int) {
        let sources = try (0..<items).map { try network.source($0) }
        let feeding = Task {
            for (id, source) in sources.enumerated() { await prefetcher.add(PrefetchItem(id: id, source: source)) }
            await prefetcher.finish()
        }
        let counting = Task {
            var counts = (finished: 0, failed: 0)
            for await event in prefetcher.events {
                switch event {
                case .finished: counts.finished += 1
                case .failed: counts.failed += 1
                case .started, .progress, .retrying, .parked, .hostChanged: continue
                }
            }
            return counts
        }
        let timekeeping = Task {
            var restless = 0
            while !Task.isCancelled {
                // A connection that the system is slow with must not hold the clock for ever.
                restless += 1
                guard await isAtRest(prefetcher) || restless > 20_000 else { continue }
                clock.advanceToNextSleeper()
                restless = 0
            }
        }
        let counts = await counting.value
        timekeeping.cancel()
        await feeding.value
        await network.stop()
        return counts
    }
}

extension OutageTests {
    /// Whether every active item sleeps, in a transfer, before a retry or until its host takes requests, and goes on
    /// sleeping while all that is ready to run gets its turns.
    private func isAtRest(_ prefetcher: ImagePrefetcher) async -> Bool {
        for _ in 0..<50 {
            let active = await prefetcher.activeCount
            // More may sleep than are active: a server whose client has left finishes its sleep.
            guard active > 0, clock.sleeperCount >= active else { return false }
            await Task.yield()
        }
        return true
    }
}

/// Three servers that answer each request after 100 ms of the clock; the sick one with 503 while its outage lasts.
private final class VirtualNetwork: Sendable {
    enum Host: Int, CaseIterable { case sick, well, fine }

    struct Attempt: Sendable {
        let time: Duration
        let isGood: Bool
    }

    private let servers: [FaultServer]
    private let logs: [Recorder<Attempt>]

    init(clock: ManualClock, picture: Data, outage: Duration) async throws {
        let body = Array(picture)
        let head = FaultScript.head(200, [("Content-Type", "image/png"), ("Content-Length", "\(body.count)")])
        let good = FaultScript([.send(head), .drip([body[0]], every: .milliseconds(100)), .send(Array(body[1...]))])
        var servers: [FaultServer] = []
        var logs: [Recorder<Attempt>] = []
        for host in Host.allCases {
            let log = Recorder<Attempt>()
            servers.append(
                try await FaultServer.start(clock: clock) { _, _ in
                    let time = clock.now.offset
                    let isGood = host != .sick || time >= outage
                    log.add(Attempt(time: time, isGood: isGood))
                    return isGood ? good : .status(503)
                })
            logs.append(log)
        }
        (self.servers, self.logs) = (servers, logs)
    }

    func source(_ number: Int) throws -> Source {
        .network(try #require(URL(string: servers[number % servers.count].url("/\(number).png"))))
    }

    /// The attempts at a host that began in a span of seconds, by their begin.
    func attempts(on host: Host, in span: Range<Int> = 0..<1_000_000) -> [Attempt] {
        let span = Duration.seconds(span.lowerBound)..<(.seconds(span.upperBound))
        return logs[host.rawValue].all.filter { span.contains($0.time) }.sorted { $0.time < $1.time }
    }

    func stop() async { for server in servers { await server.stop() } }
}
