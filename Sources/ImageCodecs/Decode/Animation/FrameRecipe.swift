import Raster

/// The steps that produce a frame: reading, processing and scaling to fit a box.
struct FrameRecipe: Sendable {
    let animation: Animation
    let reader: FrameReaderFactory
    private let box: PixelSize?
    private let processor: any ImageProcessor

    /// Creates a recipe; the decoder scales frames if there is no processing step or the first step permits it.
    init(
        _ animation: Animation, box: PixelSize?, processor: any ImageProcessor, limits: DecodeLimits
    ) {
        let decodeBox = processor.steps.isEmpty ? box : processor.decodeBox
        self.init(
            animation, box: box, processor: processor,
            reader: FrameReaderFactory(animation, within: decodeBox, limits: limits))
    }

    init(_ animation: Animation, box: PixelSize?, processor: any ImageProcessor, reader: FrameReaderFactory) {
        self.animation = animation
        self.box = box.flatMap { $0.isEmpty ? nil : $0 }
        self.processor = processor
        self.reader = reader
    }

    /// The expected bytes of a frame, assuming that the processor does not change its size.
    var expectedBytes: Int {
        let size = box.map { animation.canvasSize.scaled(to: $0) } ?? animation.canvasSize
        return size.area.multipliedReportingOverflow(by: 4).overflow ? .max : size.area * 4
    }

    func finish(_ pixels: PixelBuffer) throws(CodecError) -> PixelBuffer {
        let frame = Image(
            pixels: pixels, originalSize: animation.canvasSize, format: animation.format ?? .gif,
            frameCount: animation.frameCount, byteCount: animation.file.count)
        let result = try processor.process(frame).pixels
        guard let box else { return result }
        let target = result.size.scaled(to: box)
        return target == result.size ? result : try VipsOperations.resize(result, to: target)
    }
}
