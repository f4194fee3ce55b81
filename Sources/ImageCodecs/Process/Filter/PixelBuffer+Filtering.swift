import Raster

extension SeparableFilter {
    /// Scales down; neither size is empty, and `target` is nowhere larger.
    init(scaling source: PixelSize, to target: PixelSize, isOpaque: Bool) {
        self.init(
            source, to: target, isOpaque: isOpaque, across: .scaling(source.width, to: target.width),
            down: .scaling(source.height, to: target.height))
    }
}

extension PixelBuffer {
    /// The picture in a size that is nowhere larger; empty pictures stay as they are.
    func scaledDown(to target: PixelSize) -> PixelBuffer {
        guard target != size, !target.isEmpty, !size.isEmpty else { return self }
        return filtered(by: SeparableFilter(scaling: size, to: target, isOpaque: isOpaque))
    }

    /// The picture blurred by a Gaussian of `sigma` pixels; edges go on.
    func blurred(sigma: Double) -> PixelBuffer {
        guard sigma > 0, !size.isEmpty else { return self }
        return filtered(
            by: SeparableFilter(
                size, to: size, isOpaque: isOpaque, across: .blurring(size.width, sigma: sigma),
                down: .blurring(size.height, sigma: sigma)))
    }

    private func filtered(by filter: SeparableFilter) -> PixelBuffer {
        var filter = filter
        bytes.withUnsafeBytes { filter.add($0) }
        return filter.picture ?? self
    }
}
