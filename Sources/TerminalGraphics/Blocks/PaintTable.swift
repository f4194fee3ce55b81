import Raster

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
    /// The paints in Oklab; the last component is the root of what a mixture's coarseness adds to squared distances.
    private var points: [SIMD4<Float>] = []
    /// For each box the indices of its first plain colour and first mixture; the end follows.
    private var starts: [Int] = []
    /// The interval between two levels for each value of a channel.
    private let intervals: [Int]
    private let boxesPerSide: Int

    /// Creates a table of colours; `levels` are the bounds of the boxes in each channel, from 0 to 255.
    ///
    /// - Parameter backs: the number of colours, from the first on, that can be behind dots; all by default.
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
