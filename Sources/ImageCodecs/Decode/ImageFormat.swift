/// An image format that can be decoded.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
    /// One frame without transparency.
    case jpeg = "JPEG"
    /// One or more frames.
    case png = "PNG"
    /// One or more frames.
    case gif = "GIF"
    /// One or more frames.
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
