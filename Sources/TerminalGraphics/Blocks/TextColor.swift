import Raster

/// A colour in the form in which the terminal can use it for text.
enum TextColor: Hashable, Sendable {
    case direct(Color)
    /// 0…255 of the 256-colour palette.
    case indexed(Int)
    /// 0…15 of the named colours.
    case named(Int)
    /// 0…15 of the Linux console's colours; only 0…7 can be backgrounds.
    case console(Int)

    /// Returns the nearest colour at a depth; nil without colours.
    init?(_ color: Color, depth: ColorDepth) {
        switch depth {
        case .truecolor: self = .direct(color)
        case .palette256: self = .indexed(Self.nearestIndex(to: color))
        case .palette16: self = .named(Self.nearest(to: color, of: XtermPalette.named))
        case .console: self = .console(Self.nearest(to: color, of: Self.consoleNames))
        case .none: return nil
        }
    }

    /// Writes the SGR parameters that select the colour.
    func write(foreground: Bool, to output: inout ByteWriter) {
        switch self {
        case .direct(let color):
            output.append(foreground ? 38 : 48, 2, Int(color.red), Int(color.green), Int(color.blue))
        case .indexed(let index): output.append(foreground ? 38 : 48, 5, index)
        case .named(let name): output.append((name < 8 ? 30 : 82) + name + (foreground ? 0 : 10))
        case .console(let name):
            // The kernel takes 100…107 for 40…47, and 90…97 for a bold that remains when 30…37 follow.
            if foreground { output.append(name < 8 ? 22 : 1, 30 + name % 8) } else { output.append(40 + name % 8) }
        }
    }

    /// Returns the nearer of the nearest cube colour and the nearest grey.
    private static func nearestIndex(to color: Color) -> Int {
        let levels = XtermPalette.cubeLevels
        let (red, green, blue) = (steps[Int(color.red)], steps[Int(color.green)], steps[Int(color.blue)])
        let cubeColor = Color(red: levels[red], green: levels[green], blue: levels[blue])
        let mean = (Int(color.red) + Int(color.green) + Int(color.blue)) / 3
        let grey = min(max((mean - 3) / 10, 0), 23)
        let level = UInt8(8 + 10 * grey)
        let greyColor = Color(red: level, green: level, blue: level)
        let isGrey = greyColor.squaredDistance(to: color) < cubeColor.squaredDistance(to: color)
        return isGrey ? 232 + grey : 16 + 36 * red + 6 * green + blue
    }

    /// The index of the nearest cube level for each value, the lower of two.
    private static let steps: [Int] = (0...255).map { value in
        let levels = XtermPalette.cubeLevels.map { Int($0) }
        return levels.indices.min { abs(levels[$0] - value) < abs(levels[$1] - value) } ?? 0
    }

    private static func nearest(to color: Color, of names: [Color]) -> Int {
        names.indices.min { names[$0].squaredDistance(to: color) < names[$1].squaredDistance(to: color) } ?? 0
    }

    /// The Linux console's default colours, those of VGA text mode, in the order of the escape sequences.
    static let consoleNames: [Color] = (0..<16).map { place in
        let (off, on): (UInt8, UInt8) = place < 8 ? (0, 170) : (85, 255)
        func level(_ bit: Int) -> UInt8 { place & bit == 0 ? off : on }
        // Dark yellow is brown.
        return Color(red: level(1), green: place == 3 ? 85 : level(2), blue: level(4))
    }
}

extension ByteWriter {
    /// Writes numbers separated by semicolons.
    fileprivate mutating func append(_ numbers: Int...) {
        for (place, number) in numbers.enumerated() {
            if place > 0 { append(UInt8(ascii: ";")) }
            append(decimal: number)
        }
    }
}

/// The colours of text that a terminal can show.
public enum ColorDepth: String, Hashable, Sendable, CaseIterable {
    /// All 24-bit colours.
    case truecolor
    /// The 6×6×6 cube and the 24 greys of the 256-colour palette.
    case palette256
    /// The sixteen named colours, assumed to be xterm's defaults.
    case palette16
    /// Sixteen foreground and eight background colours, as on the Linux console.
    case console
    /// No colours: characters of different weight represent brightness.
    case none
}
