import Raster

/// The colours of a terminal that has few, and their mixtures of two as dots.
///
/// The choice for a cell depends only on its own pixels, so that equal pixels give equal cells in every frame.
struct BlockPalette: Sendable {
    /// The weight of the error of a cell's mean relative to that of its pixels; areas must keep their hue.
    private static let weightOfMean: Float = 3

    private let colors: [Color]
    private let table: PaintTable
    /// The colours that can be used as background; mostly the same.
    private let backs: PaintTable
    private let backCount: Int

    private static let of256 = BlockPalette(XtermPalette.cubeAndGreys, levels: XtermPalette.cubeLevels)
    private static let of16 = BlockPalette(XtermPalette.named, levels: [0, 255])
    private static let ofConsole = BlockPalette(TextColor.consoleNames, levels: [0, 255], backs: 8)

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
