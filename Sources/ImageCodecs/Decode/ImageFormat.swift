/// The formats that are decoded.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
    /// One frame, no transparency.
    case jpeg = "JPEG"
    /// One frame; of an animated one the first.
    case png = "PNG"
    /// Any number of frames.
    case gif = "GIF"
    /// Any number of frames.
    case webP = "WebP"

    /// The usual file name extension, without a dot.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        case .gif: "gif"
        case .webP: "webp"
        }
    }
}
