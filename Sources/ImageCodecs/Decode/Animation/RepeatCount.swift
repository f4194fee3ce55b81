/// How often an animation is played.
public enum RepeatCount: Sendable, Hashable {
    /// One play, whatever the file says.
    case once
    /// So many times; below 1 counts as once.
    case finite(Int)
    /// For ever, whatever the file says.
    case infinite
    /// As often as the file asks for.
    case fromFile

    /// The number of plays, nil for ever; `loopCount` is the file's.
    func plays(loopCount: Int?) -> Int? {
        switch self {
        case .once: 1
        case .finite(let count): max(1, count)
        case .infinite: nil
        case .fromFile: loopCount.flatMap { $0 < 1 ? nil : $0 }
        }
    }
}
