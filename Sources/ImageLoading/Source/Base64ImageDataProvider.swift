import Foundation

/// Decodes base64 text (RFC 4648, section 4).
public struct Base64ImageDataProvider: ImageDataProvider {
    public let cacheKey: String
    private let text: String

    public init(base64String: String, cacheKey: String) {
        text = base64String
        self.cacheKey = cacheKey
    }

    /// Throws `ImageError.imageSetting(.dataProvider)` when the text is not base64; white space within it is.
    @concurrent
    public func data() async throws -> Data {
        guard let data = Data(base64Encoded: text.filter { !$0.isWhitespace }) else {
            throw ImageError.imageSetting(.dataProvider("the text is not base64"))
        }
        return data
    }
}
