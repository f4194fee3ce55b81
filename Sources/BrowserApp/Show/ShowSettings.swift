import Foundation
import ImageLoading
import Raster
import Terminal
import TerminalGraphics

/// The settings of `alcedo show`.
public struct ShowSettings: Sendable {
    public enum Format: String, Sendable, CaseIterable {
        case auto, kitty, sixel, iterm, blocks, sextants, png, ppm
    }

    public var library = LibrarySettings()
    public var sources: [String] = []
    public var format = Format.auto
    /// A box in pixels that the picture must fit; it is never enlarged.
    public var size: PixelSize?
    /// The same box in cells.
    public var cells: GridSize?
    public var processor: any ImageProcessor = DefaultImageProcessor()
    /// Neither reads nor writes the disk cache.
    public var isUncached = false
    public var usesLibsixel = false
    public var isFast = false

    public init() {}

    /// Parses a size such as `800x600`; returns nil unless it is two numbers from 1 to 100,000.
    public static func sides(_ text: String) -> (Int, Int)? {
        let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let first = parts[0], let second = parts[1] else { return nil }
        let range = 1...100_000
        return range.contains(first) && range.contains(second) ? (first, second) : nil
    }
}
