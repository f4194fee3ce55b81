import Raster

/// A picture of indices into a list of colours, rows from the top.
package struct IndexedPicture: Hashable, Sendable {
    /// The size in pixels.
    package let size: PixelSize
    /// The colours, 1…256, all on the register grid.
    package let colors: [Color]
    /// The indices, `size.area` in number and each below `colors.count`.
    package let indices: [UInt8]

    /// Creates a picture; nil if the number of indices is not the area or an index has no colour.
    package init?(size: PixelSize, colors: [Color], indices: [UInt8]) {
        guard (1...256).contains(colors.count), indices.count == size.area else { return nil }
        guard indices.allSatisfy({ Int($0) < colors.count }) else { return nil }
        self.init(size: size, trusted: colors, indices: indices)
    }

    init(size: PixelSize, trusted colors: [Color], indices: [UInt8]) {
        self.size = size
        self.colors = colors
        self.indices = indices
    }

    /// The picture with every index replaced by its colour, computed in O(pixels).
    package var pixels: PixelBuffer {
        PixelBuffer(size: size) { bytes in
            for (position, index) in indices.enumerated() {
                let color = colors[Int(index)]
                bytes[position * 4] = color.red
                bytes[position * 4 + 1] = color.green
                bytes[position * 4 + 2] = color.blue
                bytes[position * 4 + 3] = 255
            }
        }
    }
}

/// The colours that a sixel register can hold: whole percentages, 0…100 in each channel.
package enum RegisterGrid {
    /// Returns the percentage nearest to an eight-bit intensity.
    @inlinable
    package static func percentage(of intensity: UInt8) -> Int { (Int(intensity) * 100 + 127) / 255 }

    /// Returns the eight-bit intensity that a terminal shows for a percentage, which is clamped to 0…100.
    @inlinable
    package static func intensity(of percentage: Int) -> UInt8 {
        UInt8((min(max(percentage, 0), 100) * 255 + 50) / 100)
    }

    /// Returns the nearest colour of the grid, opaque.
    package static func nearest(to color: Color) -> Color {
        Color(
            red: intensity(of: percentage(of: color.red)),
            green: intensity(of: percentage(of: color.green)),
            blue: intensity(of: percentage(of: color.blue)))
    }

    /// The nearest intensity of the grid for each of 256 intensities.
    static let nearestIntensities: [UInt8] = (0...255).map { intensity(of: percentage(of: UInt8($0))) }
}
