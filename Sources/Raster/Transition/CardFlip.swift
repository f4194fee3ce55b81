/// A card that turns about the middle of the picture, in perspective, with the old picture in front and the next
/// behind.
struct CardFlip {
    /// The side that moves towards the viewer first.
    enum Side {
        case left, right, top, bottom
    }

    /// The viewer's distance in halves of the card's side.
    private static let distance = 3.0

    private let side: Side
    private let background: Color

    init(_ side: Side, background: Color) {
        self.side = side
        self.background = background
    }

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
    /// The line at u, −1…1, lies u·cos across and u·sin deep, and appears d/(d + u·sin) times as large.
    private struct Rotation {
        private let cosine: Double
        private let sine: Double

        /// Requires −½…½ half turns; the sine is Bhaskara I's approximation 4x(1−x)·4/(5−4x(1−x)), x in half turns.
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
