import Raster

/// What can fill a cell where colours are few: the colours of a palette, and two of them as dots.
///
/// The paints lie in the order of their lightness, so that those too light or too dark to be the nearest are passed over.
struct PaintTable: Sendable {
    /// A colour of the palette, or two as dots.
    struct Paint: Sendable {
        let front: UInt8
        let back: UInt8
        /// How many quarters of the cell the foreground covers; 0 for a plain colour.
        let quarters: UInt8
    }

    /// The result of a search: the squared distance and what coarseness adds to it, the paint, the difference to it.
    typealias Nearest = (cost: Float, paint: Paint, difference: SIMD4<Float>)

    /// The steps of lightness, green to red and blue to yellow in one unit of Oklab.
    private static let steps = 64
    /// The share of the variance within a mixture that counts as an error, as dots of different colours look coarse.
    private static let coarseness: Float = 0.03

    private let paints: [Paint]
    /// In Oklab, with the root of what the mixture's coarseness adds to squared distances in the last place.
    private let points: [SIMD4<Float>]
    /// Where the paints of each step of lightness begin.
    private let starts: [Int]

    /// Takes the colours, and with `isMixing` all mixtures; of mixtures within one step, the least coarse.
    init(_ colors: [Color], isMixing: Bool) {
        var builder = Builder(colors)
        if isMixing { builder.addMixtures() }
        // Lightness is not negative, so that its bits are in its order.
        let order = builder.points.indices.map { UInt64(builder.points[$0].x.bitPattern) << 32 | UInt64($0) }
        let places = order.sorted().map { Int(truncatingIfNeeded: $0 & 0xFFFF_FFFF) }
        paints = places.map { builder.paints[$0] }
        points = places.map { builder.points[$0] }
        var starts: [Int] = []
        for (place, point) in points.enumerated() {
            while starts.count <= Self.step(point.x) { starts.append(place) }
        }
        while starts.count <= Self.steps { starts.append(points.count) }
        self.starts = starts
    }

    private static func step(_ lightness: Float) -> Int {
        min(max(Int(lightness * Float(steps)), 0), steps)
    }

    /// Finds the paint with the least cost; nil when none costs less than `limit`.
    func nearest(to color: Oklab, below limit: Float) -> Nearest? {
        let start = starts[Self.step(color.values.x)]
        var best = (cost: limit, place: -1)
        points.withUnsafeBufferPointer { points in
            var place = start
            while place < points.count {
                let difference = points[place] - color.values
                if difference.x > 0, difference.x * difference.x >= best.cost { break }
                let cost = (difference * difference).sum()
                if cost < best.cost { best = (cost, place) }
                place &+= 1
            }
            place = start &- 1
            while place >= 0 {
                let difference = points[place] - color.values
                if difference.x < 0, difference.x * difference.x >= best.cost { break }
                let cost = (difference * difference).sum()
                if cost < best.cost { best = (cost, place) }
                place &-= 1
            }
        }
        guard best.place >= 0 else { return nil }
        return (best.cost, paints[best.place], points[best.place] - color.values)
    }

    /// The collection of the paints before they are ordered.
    private struct Builder {
        var paints: [Paint] = []
        var points: [SIMD4<Float>] = []
        private let colors: [SIMD4<Float>]
        /// The place of the paint within each step of lightness, green to red and blue to yellow; −1 for none.
        private var slots: [Int32] = []

        init(_ colors: [Color]) {
            self.colors = colors.map { SIMD4(Float($0.red), Float($0.green), Float($0.blue), 0) }
            paints = colors.indices.map { Paint(front: UInt8($0), back: UInt8($0), quarters: 0) }
            points = self.colors.map { Oklab($0).values }
        }

        mutating func addMixtures() {
            slots = [Int32](repeating: -1, count: (steps + 1) * steps * steps)
            for place in points.indices { slots[Self.slot(of: points[place])] = Int32(place) }
            for front in colors.indices {
                for back in colors.indices where back != front {
                    let difference = points[front] - points[back]
                    let coarseness = (difference * difference).sum() * PaintTable.coarseness
                    // A half of one and a half of the other is the same in both orders.
                    for quarters in 1...(front < back ? 2 : 1) {
                        let share = Float(quarters) / 4
                        var point = Oklab(colors[back] + (colors[front] - colors[back]) * share).values
                        point.w = (coarseness * share * (1 - share)).squareRoot()
                        add(Paint(front: UInt8(front), back: UInt8(back), quarters: UInt8(quarters)), point)
                    }
                }
            }
        }

        private mutating func add(_ paint: Paint, _ point: SIMD4<Float>) {
            let slot = Self.slot(of: point)
            let other = Int(slots[slot])
            if other < 0 {
                slots[slot] = Int32(truncatingIfNeeded: points.count)
                paints.append(paint)
                points.append(point)
            } else if points[other].w > point.w {
                (paints[other], points[other]) = (paint, point)
            }
        }

        /// All colours of sRGB have a lightness from 0 to 1 and the other two from −0.5 to 0.5.
        private static func slot(of point: SIMD4<Float>) -> Int {
            let (light, red, yellow) = (step(point.x), step(point.y + 0.5), step(point.z + 0.5))
            return (light * steps + red) * steps + yellow
        }
    }
}
