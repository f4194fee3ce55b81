/// How a picture takes the size of a box.
public enum FitMode: String, Hashable, Sendable, CaseIterable {
    /// As large as fits inside, aspect kept.
    case fit
    /// As small as covers the box, aspect kept, nothing cropped.
    case fill
    /// Exactly the box, aspect given up.
    case stretch
}
