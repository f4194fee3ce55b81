import Raster
import Testing

@testable import ImageLoading

struct DecodeLimitsTests {
    private let limits = DecodeLimits(bytes: 100, side: 1_000, pixels: 50_000, frames: 20)

    private func passes(_ width: Int, _ height: Int, frames: Int = 1, _ limits: DecodeLimits? = nil) -> Bool {
        (try? (limits ?? self.limits).check(size: PixelSize(width: width, height: height), frames: frames)) != nil
    }

    private func allPass(_ width: Int, _ height: Int, frames: Int, _ limits: DecodeLimits? = nil) -> Bool {
        (try? (limits ?? self.limits).check(allFrames: frames, of: PixelSize(width: width, height: height))) != nil
    }

    @Test func aFileUpToTheLimitPasses() throws {
        try limits.check(bytes: 100)
        #expect(throws: ImageError.processor(.limitExceeded("101 bytes, limit 100 (max-size in the config)"))) {
            try limits.check(bytes: 101)
        }
    }

    @Test func eachSideThePixelsOfOneFrameAndTheFramesHaveTheirLimit() {
        #expect(passes(1_000, 50))
        #expect(!passes(1_001, 1))
        #expect(!passes(1, 1_001))
        #expect(!passes(1_000, 51))
        #expect(passes(1_000, 50, frames: 20))
        #expect(!passes(1, 1, frames: 21))
    }

    @Test func framesThatAreDecodedAtOnceAreCountedTogether() {
        #expect(allPass(100, 100, frames: 5))
        #expect(!allPass(100, 100, frames: 6))
        #expect(!allPass(1, 1, frames: 21))
        #expect(!allPass(1_001, 1, frames: 1))
    }

    @Test(arguments: [
        (16_000, 12_000, "192 MP, limit 100 MP (max-pixels in the config)"),
        (16_000, 6_280, "100.4 MP, limit 100 MP (max-pixels in the config)"),
        (20_000, 10, "20000×10 pixels, limit 16384 a side (max-side in the config)"),
    ])
    func aRefusalNamesTheSettingThatAllowsThePicture(width: Int, height: Int, text: String) {
        #expect(throws: ImageError.processor(.limitExceeded(text))) {
            try DecodeLimits.standard.check(size: PixelSize(width: width, height: height), frames: 1)
        }
    }

    @Test func framesBelowOneCountAsOne() {
        #expect(passes(100, 100, frames: 0))
        #expect(allPass(1_000, 50, frames: -7))
        #expect(!allPass(1_000, 51, frames: -7))
    }

    @Test func numbersBeyondAllArithmeticAreOverTheLimit() {
        let open = DecodeLimits(bytes: .max, side: .max, pixels: .max - 1, frames: .max)
        #expect(!passes(.max, .max, open))
        #expect(!allPass(.max, 1, frames: .max, open))
        #expect(!allPass(1 << 31, 1 << 31, frames: 4, open))
    }
}
