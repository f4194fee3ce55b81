import Raster

/// A palette of up to 256 colours of the register grid, with a nearest-colour lookup; frames may share it.
public struct Palette: Hashable, Sendable {
    /// The colours, 1…256, distinct and opaque.
    public let colors: [Color]
    let table: NearestColorTable

    /// Rounds colours to the register grid, and drops duplicates and all after the 256th; black if there are none.
    package init(colors: [Color]) {
        var seen: Set<Color> = []
        let distinct = colors.map(RegisterGrid.nearest).filter { seen.insert($0).inserted }
        self.colors = distinct.isEmpty ? [.black] : Array(distinct.prefix(256))
        table = NearestColorTable(colors: self.colors)
    }

    /// Returns the index of the nearest colour, compared at six bits per channel.
    package func index(nearestTo color: Color) -> Int {
        Int(table[color.red, color.green, color.blue])
    }

    /// Returns the mean distance of a picture's visible pixels to their nearest colours, in eight-bit intensities.
    ///
    /// About 4,000 pixels are sampled. Complexity: O(1).
    package func meanDistance(to picture: PixelBuffer) -> Double {
        let step = max(1, picture.size.area / 4096) | 1
        var (sum, count) = (0.0, 0)
        for place in stride(from: 0, to: picture.size.area, by: step) {
            let color = picture[place % picture.size.width, place / picture.size.width]
            guard color.alpha > 127 else { continue }
            sum += Double(colors[index(nearestTo: color)].squaredDistance(to: color)).squareRoot()
            count += 1
        }
        return count > 0 ? sum / Double(count) : 0
    }

    /// The mean distance of a colour to the nearest other one, in eight-bit intensities; 255 for a single colour.
    var spacing: Double {
        guard colors.count > 1 else { return 255 }
        let distances = colors.map { color in
            colors.lazy.filter { $0 != color }.map { $0.squaredDistance(to: color) }.min() ?? 0
        }
        return distances.map { Double($0).squareRoot() }.reduce(0, +) / Double(colors.count)
    }
}
