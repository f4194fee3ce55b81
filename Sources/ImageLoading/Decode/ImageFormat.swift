/// The formats that are decoded.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
    case jpeg = "JPEG"
    case png = "PNG"
    case gif = "GIF"
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
