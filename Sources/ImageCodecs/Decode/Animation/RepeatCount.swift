/// The number of times that an animation is played.
public enum RepeatCount: Sendable, Hashable {
    /// One play, regardless of the file.
    case once
    /// The given number of plays; values below 1 count as 1.
    case finite(Int)
    /// Endless playback, regardless of the file.
    case infinite
    /// The number of plays that the file asks for.
    case fromFile

    /// Returns the number of plays, nil for endless.
    ///
    /// - Parameter loopCount: The loop count of the file; nil for endless.
    func plays(loopCount: Int?) -> Int? {
        switch self {
        case .once: 1
        case .finite(let count): max(1, count)
        case .infinite: nil
        case .fromFile: loopCount.flatMap { $0 < 1 ? nil : $0 }
        }
    }
}
