import Raster

/// A picture whose pixels are indices into a list of colours, rows from the top.
public struct IndexedPicture: Hashable, Sendable {
    /// In pixels.
    public let size: PixelSize
    /// 1…256 colours of the register grid.
    public let colors: [Color]
    /// `size.area` indices, each below `colors.count`.
    public let indices: [UInt8]

    /// Takes the parts; nil when the count of indices is not the area or an index has no colour.
    public init?(size: PixelSize, colors: [Color], indices: [UInt8]) {
        guard (1...256).contains(colors.count), indices.count == size.area else { return nil }
        guard indices.allSatisfy({ Int($0) < colors.count }) else { return nil }
        self.init(size: size, trusted: colors, indices: indices)
    }

    init(size: PixelSize, trusted colors: [Color], indices: [UInt8]) {
        self.size = size
        self.colors = colors
        self.indices = indices
    }

    /// The picture with every index replaced by its colour.
    ///
    /// Complexity: O(pixels).
    public var pixels: PixelBuffer {
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
