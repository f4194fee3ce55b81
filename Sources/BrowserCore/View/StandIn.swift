import Raster

/// A place in a frame that whoever runs the screen fills, because its look is not the screen's own.
public struct PlaceholderArea: Hashable, Sendable {
    public enum Role: Hashable, Sendable {
        /// For the picture of an item.
        case placeholder(name: String, place: String)
        /// Milliseconds since the load began; bytes, and how many there will be where that is known.
        case indicator(elapsed: Int, received: Int, total: Int?)
    }

    public var rect: Rect
    public var role: Role

    public init(rect: Rect, role: Role) {
        self.rect = rect
        self.role = role
    }
}
