import Raster

/// The text form of processors, such as `downsample(400x300) |> round(20, corners: tl tr) |> bw`.
///
/// `|>` joins up to 64 steps. Sizes are `WxH` in pixels; colours are `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa` or a CSS
/// name; options have the form `name: value` and may be omitted.
///
/// - `downsample(400x300)`, `resize(400x300, fit|fill|stretch)`, `crop(100x60, anchor: 0.5 0.5)`
/// - `round(20 | 25%w | 25%h, size: 400x300, corners: tl tr bl br, background: #fff)`
/// - `border(4, black, radius: 8, corners: tl tr bl br)`
/// - `blur(6)`, `overlay(#ff0000, 0.5)`, `tint(#0000ff80)`, `bw`
/// - `color(brightness: 0, contrast: 1, saturation: 1, exposure: 0)`
/// - `blend(multiply, alpha: 1, background: #c86432)`, with the names of `BlendMode`
/// - `flip(horizontal|vertical)`, `rotate(90)`
public enum ProcessorGrammar {
    /// A syntax error: its position and the expected text.
    public struct Problem: Error, Sendable, Equatable, CustomStringConvertible {
        /// The column in characters, from 1.
        public let column: Int
        /// A description of the expected text, for users.
        public let expected: String

        public var description: String { "column \(column): expected \(expected)" }
    }

    /// Parses a chain of processors; an empty text gives the processor that changes nothing.
    ///
    /// - Throws: `Problem` at the first error.
    public static func parse(_ text: String) throws(Problem) -> any ImageProcessor {
        var chain: any ImageProcessor = DefaultImageProcessor()
        for step in try ProcessorSyntax.steps(of: text) {
            let next = try processor(for: step)
            chain = (chain |> next)
        }
        return chain
    }

    private static let names =
        "downsample, resize, crop, round, border, blur, overlay, tint, color, bw, blend, flip or rotate"

    private static func processor(for step: ProcessorSyntax.Step) throws(Problem) -> any ImageProcessor {
        var arguments = step.arguments
        guard let processor = try processor(named: step.name, &arguments) else {
            throw Problem(column: step.column, expected: names)
        }
        try arguments.finish()
        return processor
    }

    private static func processor(
        named name: String, _ arguments: inout ProcessorArguments
    ) throws(Problem) -> (any ImageProcessor)? {
        switch name {
        case "downsample": DownsamplingImageProcessor(size: try arguments.next(.size))
        case "resize":
            ResizingImageProcessor(
                referenceSize: try arguments.next(.size), mode: try arguments.nextIfPresent(.choice()) ?? .stretch)
        case "crop":
            CroppingImageProcessor(
                size: try arguments.next(.size), anchor: try arguments.option("anchor", .anchor) ?? .center)
        case "round":
            RoundCornerImageProcessor(
                radius: try arguments.next(.radius), targetSize: try arguments.option("size", .size),
                roundingCorners: try arguments.option("corners", .corners) ?? .all,
                backgroundColor: try arguments.option("background", .color))
        case "border": try border(&arguments)
        default: try filter(named: name, &arguments)
        }
    }

    private static func filter(
        named name: String, _ arguments: inout ProcessorArguments
    ) throws(Problem) -> (any ImageProcessor)? {
        switch name {
        case "blur": BlurImageProcessor(blurRadius: try arguments.next(.number(0...100)))
        case "overlay":
            OverlayImageProcessor(
                overlay: try arguments.next(.color), fraction: try arguments.nextIfPresent(.number(0...1)) ?? 0.5)
        case "tint": TintImageProcessor(tint: try arguments.next(.color))
        case "color":
            ColorControlsProcessor(
                brightness: try arguments.option("brightness", .number(ColorControlsProcessor.brightnessRange)) ?? 0,
                contrast: try arguments.option("contrast", .number(ColorControlsProcessor.factorRange)) ?? 1,
                saturation: try arguments.option("saturation", .number(ColorControlsProcessor.factorRange)) ?? 1,
                inputEV: try arguments.option("exposure", .number(ColorControlsProcessor.exposureRange)) ?? 0)
        case "bw": BlackWhiteProcessor()
        case "blend":
            BlendImageProcessor(
                blendMode: try arguments.next(.choice()), alpha: try arguments.option("alpha", .number(0...1)) ?? 1,
                background: try arguments.option("background", .color))
        case "flip": FlipImageProcessor(try arguments.next(.choice()))
        case "rotate": RotateImageProcessor(angle: try arguments.next(.number(-360_000...360_000)))
        default: nil
        }
    }

    /// Reads the arguments of `border`; the width comes first, as in CSS.
    private static func border(_ arguments: inout ProcessorArguments) throws(Problem) -> BorderImageProcessor {
        let lineWidth = try arguments.nextIfPresent(.number(0...CornerRadius.largest)) ?? 4
        return BorderImageProcessor(
            color: try arguments.nextIfPresent(.color) ?? .black, lineWidth: lineWidth,
            radius: try arguments.option("radius", .radius) ?? .point(0),
            corners: try arguments.option("corners", .corners) ?? .all)
    }
}
