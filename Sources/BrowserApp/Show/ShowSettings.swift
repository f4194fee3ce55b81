import Foundation
import ImageLoading
import Raster
import Terminal
import TerminalGraphics

/// The settings of `alcedo show`.
package struct ShowSettings: Sendable {
    package enum Format: String, Sendable, CaseIterable {
        case auto, kitty, sixel, iterm, blocks, sextants, png, ppm
    }

    package var library = LibrarySettings()
    package var sources: [String] = []
    package var format = Format.auto
    /// A box in pixels that the picture must fit; it is never enlarged.
    package var size: PixelSize?
    /// The same box in cells.
    package var cells: GridSize?
    package var processor: any ImageProcessor = DefaultImageProcessor()
    /// Neither reads nor writes the disk cache.
    package var isUncached = false
    package var usesLibsixel = false
    package var isFast = false

    package init() {}

    /// Parses a size such as `800x600`; returns nil unless it is two numbers from 1 to 100,000.
    package static func sides(_ text: String) -> (Int, Int)? {
        let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let first = parts[0], let second = parts[1] else { return nil }
        let range = 1...100_000
        return range.contains(first) && range.contains(second) ? (first, second) : nil
    }
}
