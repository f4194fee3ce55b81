import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct ImageProcessorTests {
    private let blur = BlurImageProcessor(blurRadius: 2)
    private let downsample = DownsamplingImageProcessor(size: PixelSize(width: 9, height: 9))
    private let grey = BlackWhiteProcessor()
    private let picture = Pictures.image(Pictures.gradient(PixelSize(width: 20, height: 16)))

    @Test func `the default processor changes nothing`() {
        #expect(DefaultImageProcessor().process(picture) == picture)
        #expect(DefaultImageProcessor().identifier.isEmpty)
    }

    @Test func `the default processor is neutral on both sides of a chain`() {
        #expect((DefaultImageProcessor() |> blur).identifier == blur.identifier)
        #expect((blur |> DefaultImageProcessor()).identifier == blur.identifier)
        #expect((DefaultImageProcessor() |> DefaultImageProcessor()).identifier.isEmpty)
    }

    @Test func `chaining is associative`() throws {
        let left = (blur |> downsample) |> grey
        let right = blur |> (downsample |> grey)
        #expect(left.identifier == right.identifier)
        #expect(try left.process(picture) == right.process(picture))
    }

    @Test func `a chain is applied from left to right`() throws {
        let chained = try (downsample |> blur).process(picture)
        #expect(try chained == blur.process(downsample.process(picture)))
        #expect(try chained != downsample.process(blur.process(picture)))
    }

    @Test func `only the first step may be applied while decoding`() {
        #expect((downsample |> blur).decodeBox == downsample.size)
        #expect((blur |> downsample).decodeBox == nil)
        #expect((DefaultImageProcessor() |> downsample).decodeBox == downsample.size)
        #expect(grey.decodeBox == nil)
    }

    @Test func `a failing step fails the chain`() {
        let impossible = DownsamplingImageProcessor(size: .zero)
        #expect(throws: CodecError.self) { try (grey |> impossible |> blur).process(picture) }
    }

    @Test func `a chain lists its steps`() {
        let chain = (blur |> downsample) |> (DefaultImageProcessor() |> grey)
        #expect(chain.steps.map(\.identifier) == [blur.identifier, downsample.identifier, grey.identifier])
        #expect(blur.steps.map(\.identifier) == [blur.identifier])
        #expect(DefaultImageProcessor().steps.isEmpty)
        #expect(ChainedImageProcessor([]).identifier.isEmpty)
    }

    @Test func `the first steps of a chain equal the shorter chain`() throws {
        let chain = blur |> downsample |> grey
        let prefix = ChainedImageProcessor(Array(chain.steps.prefix(2)))
        #expect(prefix.identifier == (blur |> downsample).identifier)
        #expect(try grey.process(prefix.process(picture)) == chain.process(picture))
    }

    @Test func `a long chain does not overflow the stack`() throws {
        let chain = ChainedImageProcessor(Array(repeating: FlipImageProcessor(.horizontal), count: 20_000))
        #expect(try chain.process(Pictures.image(Probes.picture(1, 1))).pixels == Probes.picture(1, 1))
        #expect((chain |> grey).steps.count == 20_001)
    }

    @Test func `different numbers and colours give different identifiers`() {
        let near = [0.5, 0.5.nextUp].map { BlurImageProcessor(blurRadius: $0).identifier }
        #expect(near[0] != near[1])
        let colors = [Color(red: 1, green: 2, blue: 3), Color(red: 1, green: 2, blue: 4)]
        #expect(TintImageProcessor(tint: colors[0]).identifier != TintImageProcessor(tint: colors[1]).identifier)
        let parts = [0.3, 0.3.nextUp].map { RoundCornerImageProcessor(radius: .widthFraction($0)).identifier }
        #expect(parts[0] != parts[1])
    }
}
