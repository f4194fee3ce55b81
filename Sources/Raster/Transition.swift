/// A transition between two pictures; each frame depends only on the progress.
public struct Transition: RawRepresentable, Equatable, CaseIterable, Sendable {
    /// Shows the next picture at once.
    public static let none = Transition("none") { _, to, _, _ in to }
    /// Cross-fades the pictures.
    public static let fade = Transition("fade") { from, to, progress, _ in .blend(from, to, progress) }
    /// Uncovers the next picture from left to right.
    public static let wipe = Transition("wipe") { from, to, progress, _ in .wipe(from, to, progress) }
    /// Shows the next picture in small scattered squares.
    public static let dissolve = Transition("dissolve") { from, to, progress, _ in .dissolve(from, to, progress) }
    /// Turns the picture over like a card with the next picture on its back; the left side moves towards the viewer.
    public static let flipFromLeft = Transition(.left)
    /// Turns the picture over; the right side moves towards the viewer.
    public static let flipFromRight = Transition(.right)
    /// Turns the picture over; the upper side moves towards the viewer.
    public static let flipFromTop = Transition(.top)
    /// Turns the picture over; the lower side moves towards the viewer.
    public static let flipFromBottom = Transition(.bottom)

    /// All but custom ones.
    public static let allCases = [none, fade, wipe, dissolve, flipFromLeft, flipFromRight, flipFromTop, flipFromBottom]

    /// The name in settings; empty for a custom transition.
    public let rawValue: String
    private let effect: Effect
    private typealias Effect = @Sendable (PixelBuffer, PixelBuffer, Double, Color) -> PixelBuffer

    private init(_ name: String, _ effect: @escaping Effect) { (rawValue, self.effect) = (name, effect) }

    private init(_ side: CardFlip.Side) {
        self.init("flip-\(side)") { CardFlip(side, background: $3).frame($0, $1, $2) }
    }

    /// Creates the transition with a name.
    public init?(rawValue: String) {
        guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = known
    }

    /// Returns a transition of custom frames from two pictures of equal size, for a progress above 0 and below 1.
    public static func custom(
        _ frame: @escaping @Sendable (_ from: PixelBuffer, _ to: PixelBuffer, _ progress: Double) -> PixelBuffer
    ) -> Transition {
        Transition("") { frame($0, $1, $2).centered(in: $1.size, over: $3) }
    }

    /// Whether two transitions have the same name.
    public static func == (one: Transition, other: Transition) -> Bool { one.rawValue == other.rawValue }

    /// Returns the frame at a progress from 0 (the old picture) to 1 (the next one), in the size of the next picture.
    ///
    /// An old picture of another size is centred over the background, which is black by default; without an old picture
    /// the background replaces it. Progress is clamped, and NaN counts as 1. At 1 the frame is `to` itself.
    public func frame(
        from: PixelBuffer?, to: PixelBuffer, progress: Double, background: Color = .black
    ) -> PixelBuffer {
        guard progress < 1, self != .none, !to.size.isEmpty else { return to }
        let old = from?.centered(in: to.size, over: background) ?? PixelBuffer(size: to.size, filledWith: background)
        return progress <= 0 ? old : effect(old, to, progress, background)
    }
}

extension PixelBuffer {
    /// Centres the picture in `target`: crops it, or surrounds it with the background.
    func centered(in target: PixelSize, over background: Color) -> PixelBuffer {
        guard size != target else { return self }
        var result = PixelBuffer(size: target, filledWith: background)
        result.draw(self, x: (target.width - size.width) / 2, y: (target.height - size.height) / 2)
        return result
    }
}

extension PixelBuffer {
    /// Mixes two pictures of one size; `progress` (0…1) is the share of the second.
    static func blend(_ from: PixelBuffer, _ to: PixelBuffer, _ progress: Double) -> PixelBuffer {
        let weight = Int((progress * 256).rounded())
        return PixelBuffer(size: to.size) { output in
            from.bytes.withUnsafeBufferPointer { old in
                to.bytes.withUnsafeBufferPointer { new in
                    for pixel in Swift.stride(from: 0, to: output.count, by: 4) {
                        mix(old, new, pixel, weight, output)
                    }
                }
            }
        }
    }

    /// Mixes one pixel; colours are weighted by alpha, so that transparent pixels contribute no colour.
    @inline(__always)
    private static func mix(
        _ old: UnsafeBufferPointer<UInt8>, _ new: UnsafeBufferPointer<UInt8>, _ pixel: Int, _ weight: Int,
        _ output: UnsafeMutableBufferPointer<UInt8>
    ) {
        let oldShare = Int(old[pixel + 3]) * (256 - weight)
        let newShare = Int(new[pixel + 3]) * weight
        let share = oldShare + newShare
        output[pixel + 3] = UInt8(truncatingIfNeeded: (share + 128) >> 8)
        let opaque = share == 255 * 256
        for channel in pixel..<pixel + 3 {
            let sum = Int(old[channel]) * oldShare + Int(new[channel]) * newShare
            output[channel] = UInt8(truncatingIfNeeded: opaque ? (sum / 255 + 128) >> 8 : sum / max(share, 1))
        }
    }

    /// Shows the second picture left of a line that moves to the right, and the first one right of it.
    static func wipe(_ from: PixelBuffer, _ to: PixelBuffer, _ progress: Double) -> PixelBuffer {
        let width = to.size.width
        let edge = Int((progress * Double(width)).rounded())
        return select(from, to) { pixel in pixel % width < edge }
    }

    /// Shows the second picture in squares that appear in a pseudo-random order, which is always the same.
    static func dissolve(_ from: PixelBuffer, _ to: PixelBuffer, _ progress: Double) -> PixelBuffer {
        let (width, squareBits) = (to.size.width, 2)
        let limit = UInt32(progress * 65536)
        return select(from, to) { pixel in
            scattered(pixel % width >> squareBits, pixel / width >> squareBits) < limit
        }
    }

    private static func select(
        _ from: PixelBuffer, _ to: PixelBuffer, takesSecond: (Int) -> Bool
    ) -> PixelBuffer {
        var result = from
        result.withMutableBytes { output in
            to.bytes.withUnsafeBufferPointer { new in
                for pixel in 0..<to.size.area where takesSecond(pixel) {
                    for byte in pixel * 4..<pixel * 4 + 4 { output[byte] = new[byte] }
                }
            }
        }
        return result
    }

    /// Returns a pseudo-random number 0…65,535 for a square, by an integer hash.
    private static func scattered(_ column: Int, _ row: Int) -> UInt32 {
        var hash = UInt32(truncatingIfNeeded: column) &* 0x9E37_79B1 ^ UInt32(truncatingIfNeeded: row) &* 0x85EB_CA77
        hash = (hash ^ hash >> 15) &* 0x2C1B_3C6D
        hash = (hash ^ hash >> 12) &* 0x297A_2D39
        return (hash ^ hash >> 15) >> 16
    }
}

/// A card that turns about the middle of the picture, in perspective, with the old picture in front and the next
/// behind.
struct CardFlip {
    /// The side that moves towards the viewer first.
    enum Side {
        case left, right, top, bottom
    }

    /// The distance of the viewer, in halves of the card's side.
    private static let distance = 3.0

    private let side: Side
    private let background: Color

    init(_ side: Side, background: Color) { (self.side, self.background) = (side, background) }

    /// Returns the frame at a progress above 0 and below 1.
    func frame(_ from: PixelBuffer, _ to: PixelBuffer, _ progress: Double) -> PixelBuffer {
        let firstHalf = progress < 0.5
        let face = firstHalf ? from : to
        let turn = Rotation(halfTurns: firstHalf ? progress : progress - 1)
        let isHorizontal = side == .left || side == .right
        let mirrored = side == .right || side == .bottom
        let (length, breadth) =
            isHorizontal ? (face.size.width, face.size.height) : (face.size.height, face.size.width)
        var result = PixelBuffer(size: face.size, filledWith: background)
        for line in 0..<length {
            guard let source = turn.source(of: line, length: length, mirrored: mirrored) else { continue }
            for place in 0..<breadth {
                guard let across = source.across(place, breadth: breadth) else { continue }
                if isHorizontal {
                    result[line, place] = face[source.line, across]
                } else {
                    result[place, line] = face[across, source.line]
                }
            }
        }
        return result
    }

    /// The source of a screen line: a line of the card and its magnification.
    private struct Source {
        let line: Int
        let scale: Double

        func across(_ place: Int, breadth: Int) -> Int? {
            let half = Double(breadth) / 2
            let source = ((Double(place) + 0.5 - half) / scale + half).rounded(.down)
            return source >= 0 && source < Double(breadth) ? Int(source) : nil
        }
    }

    /// The card's rotation.
    ///
    /// A line of the card at u (−1…1) moves to u·cos, lies u·sin deep, and appears d/(d + u·sin) times as large.
    private struct Rotation {
        private let cosine: Double
        private let sine: Double

        /// Creates a rotation by −½…½ half turns.
        ///
        /// The sine is Bhaskara I's approximation 4x(1−x)·4/(5−4x(1−x)), x in half turns.
        init(halfTurns: Double) {
            sine = halfTurns < 0 ? -Self.sine(-halfTurns) : Self.sine(halfTurns)
            cosine = Self.sine(0.5 - abs(halfTurns))
        }

        private static func sine(_ halfTurns: Double) -> Double {
            let product = 4 * halfTurns * (1 - halfTurns)
            return 4 * product / (5 - product)
        }

        func source(of line: Int, length: Int, mirrored: Bool) -> Source? {
            let half = Double(length) / 2
            let screen = (Double(line) + 0.5 - half) / half * (mirrored ? -1 : 1)
            let denominator = CardFlip.distance * cosine - screen * sine
            guard denominator > 1e-9 else { return nil }
            let card = screen * CardFlip.distance / denominator
            guard abs(card) < 1 else { return nil }
            let source = Int((card * (mirrored ? -1 : 1) * half + half).rounded(.down))
            let scale = CardFlip.distance / (CardFlip.distance + card * sine)
            return Source(line: min(max(source, 0), length - 1), scale: scale)
        }
    }
}
