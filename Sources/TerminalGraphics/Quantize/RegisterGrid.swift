import Raster

/// The grid of colours a sixel register can hold: whole percentages of full intensity, 0…100 in each channel.
public enum RegisterGrid {
    /// The percentage nearest to an eight-bit intensity.
    @inlinable
    public static func percentage(of intensity: UInt8) -> Int { (Int(intensity) * 100 + 127) / 255 }

    /// The eight-bit intensity a terminal shows for a percentage; values outside 0…100 are clamped.
    @inlinable
    public static func intensity(of percentage: Int) -> UInt8 {
        UInt8((min(max(percentage, 0), 100) * 255 + 50) / 100)
    }

    /// The nearest colour of the grid, opaque.
    public static func nearest(to color: Color) -> Color {
        Color(
            red: intensity(of: percentage(of: color.red)),
            green: intensity(of: percentage(of: color.green)),
            blue: intensity(of: percentage(of: color.blue)))
    }

    /// `nearest(to:)` for one channel as a table of 256 intensities.
    static let nearestIntensities: [UInt8] = (0...255).map { intensity(of: percentage(of: UInt8($0))) }
}
