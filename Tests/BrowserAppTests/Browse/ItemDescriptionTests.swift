import AlcedoBrowserCore
import AlcedoScreen
import Foundation
import ImageLoading
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

@Suite(.timeLimit(.minutes(1)))
struct ItemDescriptionTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func text(
        entry: CacheEntry? = nil, transfer: DownloadMetrics? = nil, capture: CaptureFacts? = nil
    ) -> [String] {
        ItemDescription(entry: entry, transfer: transfer, capture: capture, now: now).lines
            .map { "\($0.label): \($0.value)" }
    }

    @Test func `an unknown item has no facts`() { #expect(text().isEmpty) }

    @Test func `the facts of a transfer come in order`() {
        var transfer = DownloadMetrics()
        transfer.version = "HTTP/2"
        transfer.phases = .init(lookup: .milliseconds(3), connect: .milliseconds(14), handshake: .milliseconds(24))
        transfer.firstByte = .milliseconds(95)
        transfer.total = .milliseconds(214)
        #expect(
            text(transfer: transfer) == [
                "transfer: HTTP/2, name 3 ms, connected in 14 ms, TLS 24 ms, first byte 95 ms, all 214 ms"
            ])
        transfer.phases = nil
        transfer.redirectedTo = ["https://a.example/b", "https://u:secret@b.example/c?token=abc"].compactMap(URL.init)
        transfer.queued = .seconds(2)
        let second = "transfer: HTTP/2, on an open connection, first byte 95 ms, all 214 ms, waited 2.0 s"
        let lines = text(transfer: transfer)
        #expect(lines.last == second)
        #expect(lines.first?.hasPrefix("redirects: https://a.example/b, https://") == true)
        #expect(!lines.joined().contains("secret") && !lines.joined().contains("abc"))
    }

    @Test func `the last response and the attempts come before the host`() {
        var history = AttemptHistory(failed: 1, answer: "503 Service Unavailable", of: 4)
        history.begin()
        history.redirects = ["https://b.example/login?token=abc"].compactMap(URL.init)
        var description = ItemDescription(entry: nil, transfer: nil, capture: nil, now: now)
        (description.history, description.host) = (history, "a.example, no trouble")
        #expect(
            description.lines.map { "\($0.label): \($0.value)" } == [
                "answer: 503 Service Unavailable", "attempts: 2 of 4",
                "redirects: https://b.example/login?token=…", "host: a.example, no trouble",
            ])
    }

    @Test func `exposure and position are written in photographic notation`() {
        var capture = CaptureFacts(file: Data())
        capture.exposureTime = 0.004
        capture.aperture = 2.8
        capture.focalLength = 35
        capture.sensitivity = 200
        #expect(text(capture: capture) == ["lens: 35 mm", "exposure: 1/250 s  f/2.8  ISO 200"])
        capture.exposureTime = 2.5
        capture.latitude = -33.86
        capture.longitude = 151.2
        #expect(
            text(capture: capture) == [
                "lens: 35 mm", "exposure: 2.5 s  f/2.8  ISO 200", "place: 33.8600 S 151.2000 E",
            ])
    }

    @Test func `time and camera come first in the group of the camera, also without a cache entry`() {
        var capture = CaptureFacts(file: Data())
        (capture.taken, capture.camera, capture.lens) = ("2026-07-14T18:20:07+02:00", "FUJIFILM X-T5", "XF 35 mm")
        let lines = ItemDescription(entry: nil, transfer: nil, capture: capture, now: now).lines
        #expect(lines.map(\.value) == ["2026-07-14 18:20:07 +02:00", "FUJIFILM X-T5", "XF 35 mm"])
        #expect(lines.allSatisfy { $0.group == .camera })
    }

    @Test(arguments: [Double.nan, .infinity, -1, 1e300])
    func `absurd numbers do not trap`(number: Double) {
        var capture = CaptureFacts(file: Data())
        capture.exposureTime = number
        capture.aperture = number
        #expect(text(capture: capture).count == 1)
    }
}
