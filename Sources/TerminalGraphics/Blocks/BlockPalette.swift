import Glibc
import Raster

/// The colours of a terminal that has few colours, and mixtures of two of them as dots.
///
/// The choice for a cell depends only on its own pixels, so that equal pixels give equal cells in every frame.
struct BlockPalette: Sendable {
    /// The weight of the error of a cell's mean, relative to the error of its pixels; it makes areas keep their hue.
    private static let weightOfMean: Float = 3

    private let colors: [Color]
    private let table: PaintTable
    /// The colours that can be used as background; for most depths the same as all colours.
    private let backs: PaintTable
    private let backCount: Int

    private static let of256 = BlockPalette(XtermPalette.cubeAndGreys, levels: XtermPalette.cubeLevels)
    private static let of16 = BlockPalette(XtermPalette.named, levels: [0, 255])
    private static let ofConsole = BlockPalette(consoleNames, levels: [0, 255], backs: 8)

    /// Returns the palette for a depth; nil if any colour can be shown, or none.
    static func of(_ depth: ColorDepth) -> BlockPalette? {
        switch depth {
        case .palette256: of256
        case .palette16: of16
        case .console: ofConsole
        case .truecolor, .none: nil
        }
    }

    private init(_ colors: [Color], levels: [UInt8], backs count: Int? = nil) {
        self.colors = colors
        table = PaintTable(colors, levels: levels, backs: count)
        backs = count.map { PaintTable(Array(colors.prefix($0)), levels: levels) } ?? table
        backCount = count ?? colors.count
    }

    /// Returns the best cell: one of the shapes in two colours, or a paint for the whole cell.
    ///
    /// The cost of a shape is the sum of its pixels' squared distances in Oklab, less the variance of the pixels, which
    /// is the same for all, plus the weighted error of the mean. A paint's error is the same for pixels and mean. If
    /// not every colour can be a background, the inverse of each shape is tried too.
    func cell(
        _ candidates: UnsafeBufferPointer<BlockFitting.Candidate>, all: SIMD4<Float>, hasDots: Bool
    ) -> BlockCell {
        var best = Choice()
        for candidate in candidates where candidate.gain > 0 {
            choose(candidate.shape, candidate.inside, all, &best)
            guard backCount < colors.count, let opposite = BlockShape.opposite(of: candidate.shape) else { continue }
            choose(opposite, all - candidate.inside, all, &best)
        }
        let limit = best.cost / all.w / (1 + Self.weightOfMean)
        let mean = all / all.w * 255
        if let (_, paint, _) = (hasDots ? table : backs).nearest(to: mean, Oklab(mean), mixing: hasDots, below: limit) {
            best = choice(of: paint)
        }
        return BlockCell(shape: UInt8(best.shape), foreground: colors[best.front], background: colors[best.back])
    }

    /// A shape and the indices of its colours.
    private struct Choice {
        var cost = Float.infinity
        var shape = 0
        var front = 0
        var back = 0
    }

    /// Replaces the best choice by a shape with the colours nearest to its pixels, if that costs less.
    @inline(__always)
    private func choose(_ shape: Int, _ inside: SIMD4<Float>, _ all: SIMD4<Float>, _ best: inout Choice) {
        let outside = all - inside
        let (frontColor, backColor) = (inside / inside.w * 255, outside / outside.w * 255)
        let (front, back) = (Oklab(frontColor), Oklab(backColor))
        let gain = front.squaredDistance(to: back) * inside.w * outside.w / all.w
        let limit = (best.cost + gain) / inside.w
        guard let foreground = table.nearest(to: frontColor, front, mixing: false, below: limit) else { return }
        let backLimit = (best.cost + gain - foreground.cost * inside.w) / outside.w
        guard let background = backs.nearest(to: backColor, back, mixing: false, below: backLimit) else { return }
        let shift = foreground.difference * inside.w + background.difference * outside.w
        let ofMean = (shift * shift).sum() / all.w * Self.weightOfMean
        let cost = foreground.cost * inside.w + background.cost * outside.w + ofMean - gain
        guard cost < best.cost else { return }
        best = Choice(
            cost: cost, shape: shape, front: Int(foreground.paint.front), back: Int(background.paint.front))
    }

    /// Returns the choice for a paint: a background colour, dots, or a full block in a colour that cannot be a
    /// background.
    private func choice(of paint: PaintTable.Paint) -> Choice {
        let front = Int(paint.front)
        if paint.quarters == 0, front >= backCount { return Choice(shape: BlockShape.full, front: front, back: 0) }
        return Choice(shape: BlockShape.dots(Int(paint.quarters)), front: front, back: Int(paint.back))
    }
}

/// The paints that can fill a cell if colours are few: the colours of a palette, and mixtures of two as dots.
///
/// The sRGB cube is divided into boxes, and the paint of a cell is searched in the box of its colour.
struct PaintTable: Sendable {
    /// A colour of the palette, or a mixture of two as dots.
    struct Paint: Sendable {
        let front: UInt8
        let back: UInt8
        /// The quarters of the cell that the foreground covers; 0 for a plain colour.
        let quarters: UInt8
    }

    /// A search result: the squared distance plus the coarseness, the paint, and the difference to it.
    typealias Nearest = (cost: Float, paint: Paint, difference: SIMD4<Float>)

    /// The distance outside a box at which a colour still belongs to it: includes greys, but no other cube colours.
    private static let margin = 20
    /// The share of the variance within a mixture that counts as an error, because dots of different colours look
    /// coarse.
    private static let coarseness: Float = 0.03

    private var paints: [Paint] = []
    /// The paints in Oklab; the square of the last component is what a mixture's coarseness adds to squared distances.
    private var points: [SIMD4<Float>] = []
    /// For each box the indices of its first plain colour and first mixture; the end follows.
    private var starts: [Int] = []
    /// The interval between two levels for each value of a channel.
    private let intervals: [Int]
    private let boxesPerSide: Int

    /// Creates a table of colours; `levels` are the bounds of the boxes in each channel, from 0 to 255.
    ///
    /// - Parameter backs: How many colours, counted from the first, can be behind dots; all by default.
    init(_ colors: [Color], levels: [UInt8], backs: Int? = nil) {
        boxesPerSide = levels.count - 1
        intervals = (0...255).map { value in max(0, (levels.firstIndex { value < Int($0) } ?? levels.count - 1) - 1) }
        let bounds = zip(levels, levels.dropFirst()).map { Int($0) - Self.margin...Int($1) + Self.margin }
        let values = colors.map { SIMD4(Float($0.red), Float($0.green), Float($0.blue), 0) }
        let plain = values.map { Oklab($0).values }
        let backs = backs ?? colors.count
        for red in bounds {
            let redder = colors.indices.filter { red.contains(Int(colors[$0].red)) }
            for green in bounds {
                let greener = redder.filter { green.contains(Int(colors[$0].green)) }
                for blue in bounds {
                    add(greener.filter { blue.contains(Int(colors[$0].blue)) }, values, plain, backs)
                }
            }
        }
        starts.append(points.count)
    }

    private mutating func add(
        _ members: [Int], _ values: [SIMD4<Float>], _ plain: [SIMD4<Float>], _ backs: Int
    ) {
        starts.append(points.count)
        for member in members {
            paints.append(Paint(front: UInt8(member), back: UInt8(member), quarters: 0))
            points.append(plain[member])
        }
        starts.append(points.count)
        for front in members {
            for back in members where back != front && back < backs {
                let difference = plain[front] - plain[back]
                let coarseness = (difference * difference).sum() * Self.coarseness
                // Equal halves of two colours look the same in both orders.
                for quarters in 1...(front < back || front >= backs ? 2 : 1) {
                    let share = Float(quarters) / 4
                    var point = Oklab(values[back] + (values[front] - values[back]) * share).values
                    point.w = (coarseness * share * (1 - share)).squareRoot()
                    paints.append(Paint(front: UInt8(front), back: UInt8(back), quarters: UInt8(quarters)))
                    points.append(point)
                }
            }
        }
    }

    /// Returns the paint with the least cost for an sRGB colour, 0…255, with `point` as its Oklab equivalent.
    ///
    /// Nil if no paint costs less than `limit`.
    @inline(__always)
    func nearest(to color: SIMD4<Float>, _ point: Oklab, mixing: Bool, below limit: Float) -> Nearest? {
        let red = intervals[Int(color.x + 0.5)]
        let green = intervals[Int(color.y + 0.5)]
        let blue = intervals[Int(color.z + 0.5)]
        let box = (red * boxesPerSide + green) * boxesPerSide + blue
        var best = (cost: limit, place: -1)
        points.withUnsafeBufferPointer { points in
            for place in starts[box * 2]..<starts[box * 2 + (mixing ? 2 : 1)] {
                let difference = points[place] - point.values
                let cost = (difference * difference).sum()
                if cost < best.cost { best = (cost, place) }
            }
        }
        guard best.place >= 0 else { return nil }
        return (best.cost, paints[best.place], points[best.place] - point.values)
    }
}

/// A colour in Oklab, a perceptually uniform space: lightness, green to red, blue to yellow.
///
/// After Ottosson, "A perceptual color space for image processing" (2020), https://bottosson.github.io/posts/oklab/.
struct Oklab: Hashable, Sendable {
    /// L, a, b and 0.
    let values: SIMD4<Float>

    /// Converts red, green and blue from sRGB, 0…255, rounded to integers.
    @inline(__always)
    init(_ color: SIMD4<Float>) {
        let (red, green, blue) = Self.linear.withUnsafeBufferPointer { linear in
            (linear[Int(color.x + 0.5)], linear[Int(color.y + 0.5)], linear[Int(color.z + 0.5)])
        }
        let cones =
            SIMD4<Float>(0.412_221_46, 0.211_903_5, 0.088_302_46, 0) * red
            + SIMD4<Float>(0.536_332_55, 0.680_699_56, 0.281_718_85, 0) * green
            + SIMD4<Float>(0.051_445_995, 0.107_396_96, 0.629_978_7, 0) * blue
        let roots = Self.cubeRoots(cones)
        values =
            SIMD4<Float>(0.210_454_26, 1.977_998_5, 0.025_904_037, 0) * roots.x
            + SIMD4<Float>(0.793_617_8, -2.428_592_2, 0.782_771_77, 0) * roots.y
            + SIMD4<Float>(-0.004_072_047, 0.450_593_7, -0.808_675_77, 0) * roots.z
    }

    /// Returns the square of the distance.
    @inline(__always)
    func squaredDistance(to other: Oklab) -> Float {
        let difference = values - other.values
        return (difference * difference).sum()
    }

    /// The linear light, 0…1, of each sRGB value.
    private static let linear: [Float] = (0...255).map { value in
        let share = Float(value) / 255
        return share <= 0.040_45 ? share / 12.92 : powf((share + 0.055) / 1.055, 2.4)
    }

    /// Approximates cube roots of numbers from 0 to 1 to five digits: an estimate by the exponent, then Newton's
    /// method.
    @inline(__always)
    private static func cubeRoots(_ numbers: SIMD4<Float>) -> SIMD4<Float> {
        let bits = unsafeBitCast(numbers, to: SIMD4<UInt32>.self)
        var roots = unsafeBitCast(bits / 3 &+ 709_921_077, to: SIMD4<Float>.self)
        for _ in 0..<2 { roots = (roots * 2 + numbers / (roots * roots)) * (1 / 3) }
        return roots
    }
}

extension BlockPalette {
    /// The Linux console's default colours, those of VGA text mode, in the order of the escape sequences.
    static let consoleNames: [Color] = (0..<16).map { place in
        let (off, on): (UInt8, UInt8) = place < 8 ? (0, 170) : (85, 255)
        func level(_ bit: Int) -> UInt8 { place & bit == 0 ? off : on }
        // Dark yellow is brown.
        return Color(red: level(1), green: place == 3 ? 85 : level(2), blue: level(4))
    }

    fileprivate static let numbersOf256 = Dictionary(uniqueKeysWithValues: zip(XtermPalette.cubeAndGreys, 16...))
    fileprivate static let numbersOf16 = Dictionary(uniqueKeysWithValues: zip(XtermPalette.named, 0...))
    fileprivate static let numbersOfConsole = Dictionary(uniqueKeysWithValues: zip(consoleNames, 0...))
}

extension ByteWriter {
    /// Writes the SGR parameters that select a colour, which the colour depth must contain.
    mutating func append(_ color: Color, _ depth: ColorDepth, foreground: Bool) {
        switch depth {
        case .truecolor, .none:
            append(foreground ? 38 : 48, 2, Int(color.red), Int(color.green), Int(color.blue))
        case .palette256: append(foreground ? 38 : 48, 5, BlockPalette.numbersOf256[color] ?? 16)
        case .palette16:
            let name = BlockPalette.numbersOf16[color] ?? 0
            append((name < 8 ? 30 : 82) + name + (foreground ? 0 : 10))
        case .console:
            let name = BlockPalette.numbersOfConsole[color] ?? 0
            // The kernel treats 100…107 like 40…47, and 90…97 like bold, which stays on when 30…37 follow.
            if foreground { append(name < 8 ? 22 : 1, 30 + name % 8) } else { append(40 + name % 8) }
        }
    }

    /// Writes numbers separated by semicolons.
    private mutating func append(_ numbers: Int...) {
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
