import Raster

/// The colours of a terminal that has few, and the mixtures that two of them give as dots in one cell.
///
/// A mixture always fills a cell of its own, so that equal pixels give equal cells in every frame.
struct BlockPalette: Sendable {
    /// A colour that fills a cell: one of the palette, or two as dots.
    private struct Paint: Sendable {
        let color: Oklab
        /// What is added to the squared distance, as dots of different colours are coarse.
        let coarseness: Float
        let foreground: UInt8
        let background: UInt8
        /// How many quarters the foreground covers; 0 for a plain colour.
        let quarters: UInt8
    }

    /// The share of the variance within a mixture that counts as an error.
    private static let coarseness: Float = 0.04
    /// Colours further apart than that, as a squared distance, are not mixed.
    private static let farthest: Float = 0.15

    private let colors: [Color]
    private let plain: PaintList
    private let mixed: PaintList

    static let of256 = BlockPalette(TextColor.cubeAndGreys)
    static let of16 = BlockPalette(TextColor.names)

    /// The palette of a depth; nil where any colour can be shown, or none.
    static func of(_ depth: ColorDepth) -> BlockPalette? {
        switch depth {
        case .palette256: of256
        case .palette16: of16
        case .truecolor, .none: nil
        }
    }

    private init(_ colors: [Color]) {
        self.colors = colors
        let values = colors.map { SIMD4(Float($0.red), Float($0.green), Float($0.blue), 0) }
        let points = values.map(Oklab.init)
        let plain = points.indices.map {
            Paint(color: points[$0], coarseness: 0, foreground: UInt8($0), background: UInt8($0), quarters: 0)
        }
        var mixed: [Paint] = []
        for front in points.indices {
            for back in points.indices where back != front {
                let distance = points[front].squaredDistance(to: points[back])
                guard distance < Self.farthest else { continue }
                for quarters in front < back ? [1, 2] : [1] {
                    let share = Float(quarters) / 4
                    mixed.append(
                        Paint(
                            color: Oklab(values[front] * share + values[back] * (1 - share)),
                            coarseness: distance * share * (1 - share) * Self.coarseness,
                            foreground: UInt8(front), background: UInt8(back), quarters: UInt8(quarters)))
                }
            }
        }
        self.plain = PaintList(plain)
        self.mixed = PaintList(plain + mixed)
    }

    /// The cell that comes nearest: one of the shapes in two colours, or a paint for all of it.
    ///
    /// Costs are squared distances in Oklab times pixels, less the variance of the pixels, which is the same for all.
    func cell(
        _ candidates: UnsafeBufferPointer<BlockFitting.Candidate>, all: SIMD4<Float>, hasDots: Bool
    ) -> BlockCell {
        var best = (cost: Float.infinity, shape: 0, foreground: 0, background: 0)
        for candidate in candidates where candidate.gain > 0 {
            let (inside, outside) = (candidate.inside, all - candidate.inside)
            let front = Oklab(inside / inside.w * 255)
            let back = Oklab(outside / outside.w * 255)
            let foreground = plain.nearest(to: front)
            let background = plain.nearest(to: back)
            let cost =
                foreground.cost * inside.w + background.cost * outside.w
                - front.squaredDistance(to: back) * inside.w * outside.w / all.w
            if cost < best.cost {
                best = (cost, candidate.shape, Int(foreground.paint.foreground), Int(background.paint.foreground))
            }
        }
        if best.cost > 0 {
            let (cost, paint) = (hasDots ? mixed : plain).nearest(to: Oklab(all / all.w * 255))
            if cost * all.w < best.cost {
                let shape = paint.quarters == 0 ? 0 : BlockShape.dots(Int(paint.quarters))
                return cell(Int(shape), Int(paint.foreground), Int(paint.background))
            }
        }
        return cell(best.shape, best.foreground, best.background)
    }

    private func cell(_ shape: Int, _ foreground: Int, _ background: Int) -> BlockCell {
        BlockCell(shape: UInt8(shape), foreground: colors[foreground], background: colors[background])
    }

    /// Paints in the order of their lightness, so that those too light or too dark to be the nearest are passed over.
    private struct PaintList: Sendable {
        /// Steps of lightness.
        private static let steps = 256
        private let paints: [Paint]
        /// Where the paints of each step begin.
        private let starts: [Int]

        init(_ paints: [Paint]) {
            let sorted = paints.sorted { $0.color.values.x < $1.color.values.x }
            var starts: [Int] = []
            for (place, paint) in sorted.enumerated() {
                while starts.count <= Self.step(paint.color) { starts.append(place) }
            }
            while starts.count <= Self.steps { starts.append(sorted.count) }
            self.paints = sorted
            self.starts = starts
        }

        private static func step(_ color: Oklab) -> Int {
            min(max(Int(color.values.x * Float(steps)), 0), steps - 1)
        }

        /// The paint with the least cost, which is the squared distance and the coarseness.
        func nearest(to color: Oklab) -> (cost: Float, paint: Paint) {
            paints.withUnsafeBufferPointer { paints in
                let start = min(starts[Self.step(color)], paints.count - 1)
                var best = (cost: Float.infinity, place: start)
                var place = start
                while place < paints.count {
                    let above = paints[place].color.values.x - color.values.x
                    if above > 0, above * above > best.cost { break }
                    let cost = color.squaredDistance(to: paints[place].color) + paints[place].coarseness
                    if cost < best.cost { best = (cost, place) }
                    place += 1
                }
                place = start - 1
                while place >= 0 {
                    let below = color.values.x - paints[place].color.values.x
                    if below > 0, below * below > best.cost { break }
                    let cost = color.squaredDistance(to: paints[place].color) + paints[place].coarseness
                    if cost < best.cost { best = (cost, place) }
                    place -= 1
                }
                return (best.cost, paints[best.place])
            }
        }
    }
}
