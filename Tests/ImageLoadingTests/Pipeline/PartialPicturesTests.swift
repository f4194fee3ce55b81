import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import ImageLoading

/// Which scans of a load become pictures.
@Suite(.timeLimit(.minutes(1))) struct PartialPicturesTests {
    private let time = ManualTime()
    private let decoded = Recorder<Int>()
    private let sent = Recorder<Int>()
    private let file: Data

    init() throws { file = try ProgressiveJPEG.file() }

    private func pictures(_ options: ImageProgressive, gate: Gate? = nil) -> PartialPictures {
        PartialPictures(options, now: time.read) { [decoded] _, scan async throws(ImageError) in
            decoded.add(scan.number)
            await gate?.pass()
            var image = Pictures.image(Pictures.gradient(.init(width: 1, height: 1)))
            image.byteCount = scan.number
            return image
        } send: { [sent] in
            sent.add($0.byteCount)
        }
    }

    private func feed(_ pictures: PartialPictures) {
        for offset in stride(from: 0, to: file.count, by: 100) {
            pictures.append(Data(file[offset..<min(offset + 100, file.count)]), at: offset)
        }
    }

    @Test func `scans that arrive during a decode are skipped for the newest`() async {
        let gate = Gate()
        let pictures = pictures(ImageProgressive(), gate: gate)
        feed(pictures)
        await gate.untilArrived()
        await gate.open()
        await sent.until(count: 2)
        #expect(decoded.all == [1, 9])
        #expect(sent.all == [1, 9])
    }

    @Test func `without isFastestScan every scan is sent`() async {
        let pictures = pictures(ImageProgressive(isFastestScan: false))
        feed(pictures)
        await sent.until(count: 9)
        #expect(sent.all == Array(1...9))
    }

    @Test func `within the interval no scan is sent`() async {
        let pictures = pictures(ImageProgressive(scanInterval: .seconds(1)))
        feed(pictures)
        await sent.until(count: 1)
        #expect(sent.all == [1])
        time.advance(by: .seconds(1))
        pictures.append(Data(), at: file.count)
        await sent.until(count: 2)
        #expect(sent.all == [1, 9])
    }

    @Test func `a transfer that starts again is treated as a new file`() async {
        let pictures = pictures(ImageProgressive(isFastestScan: false))
        pictures.append(file.prefix(file.count / 3), at: 0)
        pictures.append(Data([1, 2, 3]), at: 77)
        feed(pictures)
        await sent.until { $0.last == 9 }
        #expect(sent.all.filter { $0 == 9 }.count == 1)
    }

    @Test func `after close nothing is sent`() async {
        let gate = Gate()
        let pictures = pictures(ImageProgressive(), gate: gate)
        feed(pictures)
        await gate.untilArrived()
        pictures.close()
        await gate.open()
        feed(pictures)
        for _ in 0..<100 { await Task.yield() }
        #expect(sent.all.isEmpty)
        #expect(decoded.all == [1])
    }
}
