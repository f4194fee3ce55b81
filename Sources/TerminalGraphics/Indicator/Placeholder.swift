import Raster

/// Provides the content shown in a picture's place until a part of the picture is loaded.
///
/// A placeholder that shows the name in capitals:
/// ```swift
/// struct LoudPlaceholder: Placeholder {
///     func content(for context: PlaceholderContext) -> PlaceholderContent { .text([context.name.uppercased()]) }
/// }
/// ```
public protocol Placeholder: Sendable {
    /// Returns the content for an item.
    func content(for context: PlaceholderContext) -> PlaceholderContent
}

/// The content shown in the place of a picture.
public enum PlaceholderContent: Sendable, Hashable {
    /// Nothing at all.
    case nothing
    /// Lines of text, centred in the available cells.
    case text([String])
    /// A picture, centred in the available cells and scaled down if it is larger.
    case picture(PixelBuffer)
}

/// The item that a placeholder stands for, and the available space.
public struct PlaceholderContext: Sendable, Hashable {
    /// The item's name without control characters.
    public var name: String
    /// The item's host or folder without control characters and secrets.
    public var place: String
    /// The available cells.
    public var grid: GridSize
    /// The cell size, for pictures.
    public var cell: CellSize

    /// Creates a context.
    public init(name: String, place: String = "", grid: GridSize, cell: CellSize = .fallback) {
        (self.name, self.place, self.grid, self.cell) = (name, place, grid, cell)
    }
}

/// Shows nothing.
public struct BlankPlaceholder: Placeholder {
    /// Creates the placeholder.
    public init() {}

    public func content(for context: PlaceholderContext) -> PlaceholderContent { .nothing }
}

/// Shows the same picture for every item.
public struct PicturePlaceholder: Placeholder {
    package let picture: PixelBuffer

    /// Creates a placeholder of a picture.
    public init(_ picture: PixelBuffer) { self.picture = picture }

    public func content(for context: PlaceholderContext) -> PlaceholderContent { .picture(picture) }
}

/// Shows the item's name, and its host or folder below it.
public struct TextPlaceholder: Placeholder {
    /// Creates the placeholder.
    public init() {}

    public func content(for context: PlaceholderContext) -> PlaceholderContent {
        .text([context.name, context.place].filter { !$0.isEmpty })
    }
}
