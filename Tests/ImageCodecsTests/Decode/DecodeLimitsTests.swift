import Raster
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct DecodeLimitsTests {
    private let limits = DecodeLimits(bytes: 100, pixels: 50_000, frames: 20)

    private func passes(_ width: Int, _ height: Int, frames: Int = 1, _ limits: DecodeLimits? = nil) -> Bool {
        (try? (limits ?? self.limits).check(size: PixelSize(width: width, height: height), frames: frames)) != nil
    }

    private func allPass(_ width: Int, _ height: Int, frames: Int, _ limits: DecodeLimits? = nil) -> Bool {
        (try? (limits ?? self.limits).check(allFrames: frames, of: PixelSize(width: width, height: height))) != nil
    }

    @Test func `a file up to the size limit is accepted`() throws {
        try limits.check(bytes: 100)
        #expect(throws: CodecError.processor(.limitExceeded("101 bytes, limit 100 bytes; raise --max-size"))) {
            try limits.check(bytes: 101)
        }
        #expect(throws: CodecError.processor(.limitExceeded("101 MiB, limit 100 MiB; raise --max-size"))) {
            try DecodeLimits.standard.check(bytes: 100 << 20 + 1)
        }
    }

    @Test(arguments: [(800, 20_000), (20_000, 800), (1, 50_000_000)])
    func `long and wide pictures are within the standard limits`(width: Int, height: Int) {
        #expect(passes(width, height, .standard))
    }

    @Test func `pixels per frame and number of frames are limited`() {
        #expect(passes(1_000, 50))
        #expect(!passes(1_000, 51))
        #expect(passes(1_000, 50, frames: 20))
        #expect(!passes(1, 1, frames: 21))
    }

    @Test func `frames decoded together are limited by their total`() {
        #expect(allPass(100, 100, frames: 5))
        #expect(!allPass(100, 100, frames: 6))
        #expect(!allPass(1, 1, frames: 21))
    }

    @Test(arguments: [
        (16_000, 12_000, "192 MP, limit 100 MP; raise --max-pixels"),
        (16_000, 6_280, "100.4 MP, limit 100 MP; raise --max-pixels"),
    ])
    func `a refusal names the setting to raise`(width: Int, height: Int, text: String) {
        #expect(throws: CodecError.processor(.limitExceeded(text))) {
            try DecodeLimits.standard.check(size: PixelSize(width: width, height: height), frames: 1)
        }
    }

    @Test func `frames below one count as one`() {
        #expect(passes(100, 100, frames: 0))
        #expect(allPass(1_000, 50, frames: -7))
        #expect(!allPass(1_000, 51, frames: -7))
    }

    @Test func `products that overflow are over the limit`() {
        let open = DecodeLimits(bytes: .max, pixels: .max - 1, frames: .max)
        #expect(!passes(.max, .max, open))
        #expect(!allPass(.max, 1, frames: .max, open))
        #expect(!allPass(1 << 31, 1 << 31, frames: 4, open))
    }
}
