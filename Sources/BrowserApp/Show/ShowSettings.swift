import Foundation
import ImageLoading
import Raster
import Terminal
import TerminalGraphics

/// How pictures are shown without a screen.
public struct ShowSettings: Sendable {
    public enum Format: String, Sendable, CaseIterable {
        case auto, kitty, sixel, iterm, blocks, sextants, png, ppm
    }

    public var library = LibrarySettings()
    public var sources: [String] = []
    public var format = Format.auto
    /// A box in pixels that the picture fits into; it is never scaled up.
    public var size: PixelSize?
    /// The same in cells.
    public var cells: GridSize?
    public var processor: any ImageProcessor = DefaultImageProcessor()
    /// Neither looks into the disk cache nor writes to it.
    public var isUncached = false
    public var usesLibsixel = false
    public var isFast = false

    public init() {}

    /// Reads `800x600`; nil when it is not two numbers from 1 to 100,000.
    public static func sides(_ text: String) -> (Int, Int)? {
        let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let first = parts[0], let second = parts[1] else { return nil }
        let range = 1...100_000
        return range.contains(first) && range.contains(second) ? (first, second) : nil
    }
}
