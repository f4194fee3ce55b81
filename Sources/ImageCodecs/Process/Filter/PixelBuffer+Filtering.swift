import Raster

extension SeparableFilter {
    /// Creates a filter that scales down; neither size may be empty, and no side of `target` may be longer.
    init(scaling source: PixelSize, to target: PixelSize, isOpaque: Bool) {
        self.init(
            source, to: target, isOpaque: isOpaque, across: .scaling(source.width, to: target.width),
            down: .scaling(source.height, to: target.height))
    }
}

extension PixelBuffer {
    /// Returns the picture scaled down to `target`, which must be nowhere larger.
    ///
    /// An empty picture or an empty target returns the picture unchanged.
    func scaledDown(to target: PixelSize) -> PixelBuffer {
        guard target != size, !target.isEmpty, !size.isEmpty else { return self }
        return filtered(by: SeparableFilter(scaling: size, to: target, isOpaque: isOpaque))
    }

    /// Returns the picture blurred by a Gaussian of `sigma` pixels; edge pixels are repeated.
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
