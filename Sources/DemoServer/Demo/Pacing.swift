/// How a body is cut up in time: pieces of equal duration.
struct Pacing: Hashable, Sendable {
    /// Bytes sent at once.
    let piece: Int
    /// The pause after each piece.
    let pause: Duration

    /// Twenty pieces a second, fewer when less than 512 bytes a piece would be left; nil rate or one below 1 is as
    /// fast as can be.
    init(bytesPerSecond rate: Int?) {
        guard let rate, rate > 0 else {
            piece = 64 * 1024
            pause = .zero
            return
        }
        piece = max(512, rate / 20)
        pause = .seconds(Double(piece) / Double(rate))
    }
}
