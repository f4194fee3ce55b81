import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct PartialScanTests {
    private let decoder = CodecDecoder()

    private func picture(
        of data: Data, through scan: ProgressiveScan, limits: DecodeLimits = .standard
    ) throws -> Image {
        try decoder.partialPicture(of: data, through: scan, within: nil, isBlur: true, limits: limits)
    }

    /// The partial pictures of a file that comes in pieces of 1 KiB.
    private func pictures(
        _ file: Data, within box: PixelSize? = nil, _ options: ImageProgressive = ImageProgressive()
    ) throws -> [Image] {
        var (schedule, arrived, pictures) = (ScanSchedule(options), Data(), [Image]())
        for start in stride(from: 0, to: file.count, by: 1_024) {
            let piece = file[start..<min(file.count, start + 1_024)]
            arrived += piece
            schedule.append(piece)
            while let scan = schedule.next(at: .zero) {
                pictures.append(
                    try decoder.partialPicture(
                        of: arrived, through: scan, within: box, isBlur: options.isBlur, limits: .standard))
            }
        }
        return pictures
    }

    @Test(arguments: [(true, nil), (false, nil), (false, PixelSize(width: 100, height: 100))])
    func `each partial picture is closer to the whole one`(isBlur: Bool, box: PixelSize?) throws {
        let file = try ProgressiveJPEG.file()
        let whole = try VipsDecoder().decode(file, within: box, limits: .standard)
        let partial = try pictures(file, within: box, ImageProgressive(isBlur: isBlur, isFastestScan: false))
        #expect(partial.count == 9)
        #expect(Set(partial.map(\.size)) == [whole.size])
        #expect(Set(partial.map(\.originalSize)) == [PixelSize(width: 320, height: 240)])
        let closeness = partial.map { ProgressiveJPEG.closeness($0.pixels, whole.pixels) }
        #expect(zip(closeness, closeness.dropFirst()).allSatisfy { $0 < $1 }, "\(closeness)")
    }

    @Test func `a file received in 1 KiB pieces gives at least three partial pictures`() throws {
        #expect(try pictures(try ProgressiveJPEG.file()).count >= 3)
    }

    @Test func `a baseline file gives no partial pictures`() throws {
        #expect(try pictures(try Pictures.asset("coral.jpg")).isEmpty)
    }

    @Test func `early scans are blurred the most`() {
        let radii = (1...7).map { ProgressiveScan(number: $0, end: 0).blurRadius }
        #expect(radii == [10, 6, 2, 2, 2, nil, nil])
        #expect(ProgressiveScan(number: Int.min, end: 0).blurRadius == 10)
    }

    @Test func `isBlur false turns the blur off`() throws {
        let file = try ProgressiveJPEG.file()
        let sharp = try pictures(file, ImageProgressive(isBlur: false, isFastestScan: false))
        let blurred = try pictures(file, ImageProgressive(isBlur: true, isFastestScan: false))
        #expect(sharp.count == blurred.count)
        for index in sharp.indices { #expect((sharp[index] == blurred[index]) == (index >= 5)) }
    }

    @Test func `bytes after the scan are ignored`() throws {
        let file = try ProgressiveJPEG.file()
        var scanner = ProgressiveScanner()
        let scan = try #require(scanner.append(file).first)
        #expect(
            try picture(of: file, through: scan).pixels == picture(of: file.prefix(scan.end), through: scan).pixels)
    }

    @Test func `limits apply to partial pictures too`() throws {
        let file = try ProgressiveJPEG.file()
        var scanner = ProgressiveScanner()
        let scan = try #require(scanner.append(file).first)
        #expect(
            throws: CodecError.processor(.limitExceeded("76800 pixels, limit 319 pixels; raise --max-pixels"))
        ) {
            try picture(of: file, through: scan, limits: DecodeLimits(pixels: 319))
        }
        #expect(throws: CodecError.self) {
            try picture(of: file, through: scan, limits: DecodeLimits(bytes: 100))
        }
    }

    @Test(arguments: [0, -5, 2, 20])
    func `an invalid scan end is an error`(end: Int) throws {
        let file = try ProgressiveJPEG.file()
        #expect(throws: CodecError.self) {
            try picture(of: file, through: ProgressiveScan(number: 1, end: end))
        }
    }
}
