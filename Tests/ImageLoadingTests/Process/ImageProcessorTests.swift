import Raster
import Testing

@testable import ImageLoading

struct ImageProcessorTests {
    private let blur = BlurImageProcessor(blurRadius: 2)
    private let downsample = DownsamplingImageProcessor(size: PixelSize(width: 9, height: 9))
    private let grey = BlackWhiteProcessor()
    private let picture = Pictures.image(Pictures.gradient(PixelSize(width: 20, height: 16)))

    @Test func theDefaultProcessorChangesNothing() {
        #expect(DefaultImageProcessor().process(picture) == picture)
        #expect(DefaultImageProcessor().identifier.isEmpty)
    }

    @Test func theDefaultProcessorIsNeutralOnBothSides() {
        #expect((DefaultImageProcessor() |> blur).identifier == blur.identifier)
        #expect((blur |> DefaultImageProcessor()).identifier == blur.identifier)
        #expect((DefaultImageProcessor() |> DefaultImageProcessor()).identifier.isEmpty)
    }

    @Test func joiningIsAssociative() throws {
        let left = (blur |> downsample) |> grey
        let right = blur |> (downsample |> grey)
        #expect(left.identifier == right.identifier)
        #expect(try left.process(picture) == right.process(picture))
    }

    @Test func aChainWorksFromLeftToRight() throws {
        let chained = try (downsample |> blur).process(picture)
        #expect(try chained == blur.process(downsample.process(picture)))
        #expect(try chained != downsample.process(blur.process(picture)))
    }

    @Test func onlyAFirstStepMayScaleWhileDecoding() {
        #expect((downsample |> blur).decodeBox == downsample.size)
        #expect((blur |> downsample).decodeBox == nil)
        #expect((DefaultImageProcessor() |> downsample).decodeBox == downsample.size)
        #expect(grey.decodeBox == nil)
    }

    @Test func aStepThatFailsFailsTheChain() {
        let impossible = DownsamplingImageProcessor(size: .zero)
        #expect(throws: ImageError.self) { try (grey |> impossible |> blur).process(picture) }
    }
}
