import Raster

/// The colours of a terminal that has few, and the mixtures that two of them give as dots in one cell.
///
/// A cell's choice depends on its own pixels only, so that equal pixels give equal cells in every frame.
struct BlockPalette: Sendable {
    /// How much the error of a cell's mean counts beside that of its pixels, as areas must keep their hue.
    private static let weightOfMean: Float = 3

    private let colors: [Color]
    private let table: PaintTable

    private static let of256 = BlockPalette(TextColor.cubeAndGreys, levels: TextColor.cubeLevels)
    private static let of16 = BlockPalette(TextColor.names, levels: [0, 255])

    /// Finds the palette of a depth; nil where any colour can be shown, or none.
    static func of(_ depth: ColorDepth) -> BlockPalette? {
        switch depth {
        case .palette256: of256
        case .palette16: of16
        case .truecolor, .none: nil
        }
    }

    private init(_ colors: [Color], levels: [UInt8]) {
        self.colors = colors
        table = PaintTable(colors, levels: levels)
    }

    /// Finds the cell that comes nearest: one of the shapes in two colours, or a paint for all of it.
    ///
    /// The cost of a shape is the sum over its pixels of squared distances in Oklab, less the variance of the pixels, which
    /// is the same for all, and the weighted error of the mean. A paint's error is the same for pixels and mean.
    func cell(
        _ candidates: UnsafeBufferPointer<BlockFitting.Candidate>, all: SIMD4<Float>, hasDots: Bool
    ) -> BlockCell {
        var best = (cost: Float.infinity, shape: 0, front: 0, back: 0)
        for candidate in candidates where candidate.gain > 0 {
            let (inside, outside) = (candidate.inside, all - candidate.inside)
            let (frontColor, backColor) = (inside / inside.w * 255, outside / outside.w * 255)
            let (front, back) = (Oklab(frontColor), Oklab(backColor))
            let gain = front.squaredDistance(to: back) * inside.w * outside.w / all.w
            let limit = (best.cost + gain) / inside.w
            guard let foreground = table.nearest(to: frontColor, front, mixing: false, below: limit) else { continue }
            let room = (best.cost + gain - foreground.cost * inside.w) / outside.w
            guard let background = table.nearest(to: backColor, back, mixing: false, below: room) else { continue }
            let shift = foreground.difference * inside.w + background.difference * outside.w
            let ofMean = (shift * shift).sum() / all.w * Self.weightOfMean
            let cost = foreground.cost * inside.w + background.cost * outside.w + ofMean - gain
            guard cost < best.cost else { continue }
            best = (cost, candidate.shape, Int(foreground.paint.front), Int(background.paint.front))
        }
        let limit = best.cost / all.w / (1 + Self.weightOfMean)
        let mean = all / all.w * 255
        if let (_, paint, _) = table.nearest(to: mean, Oklab(mean), mixing: hasDots, below: limit) {
            best = (0, BlockShape.dots(Int(paint.quarters)), Int(paint.front), Int(paint.back))
        }
        return BlockCell(shape: UInt8(best.shape), foreground: colors[best.front], background: colors[best.back])
    }
}
