import Raster

// Members after a dot: `.processor(.blur(5))`, `.processor(.roundCorners(50) |> .blur(5))`.

extension ImageProcessor where Self == RoundCornerImageProcessor {
    /// Returns a processor that rounds the corners by a radius in pixels or as a fraction: `.roundCorners(50)`.
    public static func roundCorners(
        _ radius: CornerRadius, roundingCorners: Corners = .all, backgroundColor: Color? = nil
    ) -> Self {
        Self(radius: radius, roundingCorners: roundingCorners, backgroundColor: backgroundColor)
    }
}

extension ImageProcessor where Self == BlurImageProcessor {
    /// Returns a processor that blurs by a Gaussian with σ in pixels.
    public static func blur(_ radius: Double) -> Self { Self(blurRadius: radius) }
}

extension ImageProcessor where Self == DownsamplingImageProcessor {
    /// Returns a processor that scales down to fit a box in pixels.
    public static func downsample(to size: PixelSize) -> Self { Self(size: size) }
}

extension ImageProcessor where Self == ResizingImageProcessor {
    /// Returns a processor that scales to a size in pixels; the mode is `stretch` by default.
    public static func resize(to size: PixelSize, mode: FitMode = .stretch) -> Self {
        Self(referenceSize: size, mode: mode)
    }
}

extension ImageProcessor where Self == CroppingImageProcessor {
    /// Returns a processor that crops to a size in pixels, around the centre by default.
    public static func crop(to size: PixelSize, anchor: CroppingImageProcessor.Anchor = .center) -> Self {
        Self(size: size, anchor: anchor)
    }
}

extension ImageProcessor where Self == OverlayImageProcessor {
    /// Returns a processor that lays a colour over the picture; a fraction of 0 hides it, 1 leaves it as it is.
    public static func overlay(_ color: Color, fraction: Double = 0.5) -> Self {
        Self(overlay: color, fraction: fraction)
    }
}

extension ImageProcessor where Self == TintImageProcessor {
    /// Returns a processor that tints the picture.
    public static func tint(_ color: Color) -> Self { Self(tint: color) }
}

extension ImageProcessor where Self == BlackWhiteProcessor {
    /// A processor that removes the colours.
    public static var blackWhite: Self { Self() }
}

extension ImageProcessor where Self == ColorControlsProcessor {
    /// Returns a processor that adjusts the colours; by default nothing changes.
    public static func colorControls(
        brightness: Double = 0, contrast: Double = 1, saturation: Double = 1, inputEV: Double = 0
    ) -> Self {
        Self(brightness: brightness, contrast: contrast, saturation: saturation, inputEV: inputEV)
    }
}
