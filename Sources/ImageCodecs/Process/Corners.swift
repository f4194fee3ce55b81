/// A set of corners of a picture.
public struct Corners: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    /// Creates a set; bits without a corner are ignored.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 0b1111 }

    public static let topLeft = Corners(rawValue: 1)
    public static let topRight = Corners(rawValue: 2)
    public static let bottomLeft = Corners(rawValue: 4)
    public static let bottomRight = Corners(rawValue: 8)
    /// All four corners.
    public static let all: Corners = [.topLeft, .topRight, .bottomLeft, .bottomRight]

    private static let names: [(corner: Corners, name: String)] = [
        (.topLeft, "tl"), (.topRight, "tr"), (.bottomLeft, "bl"), (.bottomRight, "br"),
    ]

    /// The names of the corners, such as `tl tr bl br`, or `none`.
    var text: String {
        isEmpty ? "none" : Self.names.filter { contains($0.corner) }.map(\.name).joined(separator: " ")
    }

    init?(text: String) {
        self = []
        guard text != "none" else { return }
        let words = text.split(separator: " ")
        for word in words {
            guard let known = Self.names.first(where: { $0.name == word }) else { return nil }
            insert(known.corner)
        }
        if words.isEmpty { return nil }
    }
}
