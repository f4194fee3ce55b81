import Raster

/// Stands where a picture will be, until something of it is there; one's own conforms to it.
///
/// One that shows the name in capitals:
/// ```swift
/// struct LoudPlaceholder: Placeholder {
///     func look(_ room: PlaceholderRoom) -> StandInLook { .text([room.name.uppercased()]) }
/// }
/// ```
public protocol Placeholder: Sendable {
    /// What it looks like for an item.
    func look(_ room: PlaceholderRoom) -> StandInLook
}

/// What a placeholder stands for, and the room there is.
public struct PlaceholderRoom: Sendable, Hashable {
    /// The item's name, free of control characters.
    public var name: String
    /// Its host or folder, free of control characters and secrets.
    public var place: String
    /// The room there is.
    public var grid: GridSize
    /// The size of a cell, for pictures.
    public var cell: CellSize

    public init(name: String, place: String = "", grid: GridSize, cell: CellSize = .fallback) {
        self.name = name
        self.place = place
        self.grid = grid
        self.cell = cell
    }
}

/// Leaves the place empty.
public struct BlankPlaceholder: Placeholder {
    public init() {}

    public func look(_ room: PlaceholderRoom) -> StandInLook { .nothing }
}

/// The same picture for every item.
public struct PicturePlaceholder: Placeholder {
    public let picture: PixelBuffer

    public init(_ picture: PixelBuffer) { self.picture = picture }

    public func look(_ room: PlaceholderRoom) -> StandInLook { .picture(picture) }
}

/// The item's name, and where it comes from below it.
public struct TextPlaceholder: Placeholder {
    public init() {}

    public func look(_ room: PlaceholderRoom) -> StandInLook {
        .text([room.name, room.place].filter { !$0.isEmpty })
    }
}
