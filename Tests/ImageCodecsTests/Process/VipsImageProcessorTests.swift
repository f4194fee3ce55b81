import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct VipsImageProcessorTests {
    private func run(
        _ operation: String, _ arguments: [String: String] = [:], on picture: PixelBuffer = Probes.large
    ) throws -> PixelBuffer {
        try VipsImageProcessor(identifier: operation) { try $0.applying(operation, arguments) }.pixels(of: picture)
    }

    @Test func `an operation is called by its libvips name`() throws {
        let expected = try FlipImageProcessor(.horizontal).pixels(of: Probes.large)
        #expect(try run("flip", ["direction": "horizontal"]) == expected)
    }

    @Test func `operations can be chained and the size is known`() throws {
        let processor = VipsImageProcessor(identifier: "turned") { picture in
            #expect(picture.size == PixelSize(width: 19, height: 14))
            let turned = try picture.applying("rot", ["angle": "d90"])
            #expect(turned.size == PixelSize(width: 14, height: 19))
            return try turned.applying("rot", ["angle": "d90"])
        }
        let expected = try RotateImageProcessor(angle: 180).pixels(of: Probes.large)
        #expect(try processor.pixels(of: Probes.large) == expected)
    }

    @Test func `a grey result becomes opaque RGB`() throws {
        let picture = Pictures.gradient(PixelSize(width: 6, height: 5))
        let result = try run("extract_band", ["band": "0"], on: picture)
        #expect(result.size == picture.size && result.isOpaque)
    }

    @Test(arguments: [
        ("nonsense", [:]), ("sharpen", ["nonsense": "1"]), ("sharpen", ["sigma": "wide"]), ("pngsave", [:]),
        ("pngload", ["filename": "/etc/passwd"]), ("vipssave", ["filename": "/nowhere/x"]), ("system", [:]),
        ("composite2", ["overlay": "/etc/passwd"]), ("add", [:]), ("crop", ["left": "0"]), ("avg", [:]),
    ])
    func `an invalid operation is refused with a reason`(operation: String, arguments: [String: String]) {
        #expect {
            try run(operation, arguments)
        } throws: { error in
            guard case CodecError.processor(.processingFailed(operation, let reason)) = error else { return false }
            return !reason.isEmpty
        }
    }

    @Test func `an excessive result is refused before it is computed`() {
        #expect(throws: CodecError.self) { try run("zoom", ["xfac": "5000", "yfac": "5000"]) }
    }

    @Test func `an error of the closure is reported by the processor`() {
        struct Refusal: Error {}
        let processor = VipsImageProcessor(identifier: "refusal") { _ in throw Refusal() }
        #expect(throws: CodecError.processor(.processingFailed(identifier: "refusal", "Refusal()"))) {
            try processor.pixels(of: Probes.large)
        }
        let cancelled = VipsImageProcessor(identifier: "cancelled") { _ in throw CodecError.cancelled }
        #expect(throws: CodecError.cancelled) { try cancelled.pixels(of: Probes.large) }
    }

    @Test func `a picture keeps its pixels after its buffer is released`() throws {
        func picture() throws -> VipsPicture {
            try VipsPicture.holding(Probes.picture(40, 30), identifier: "kept").applying("copy")
        }
        let kept = try picture()
        #expect(try kept.pixels() == Probes.picture(40, 30))
    }
}
