import Foundation

/// Decodes base64 text.
public struct Base64ImageDataProvider: ImageDataProvider {
    public let cacheKey: String
    private let text: String

    public init(base64String: String, cacheKey: String) {
        text = base64String
        self.cacheKey = cacheKey
    }

    /// Throws `ImageError.imageSetting(.dataProvider)` when the text is not base64.
    public func data() async throws -> Data {
        guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
            throw ImageError.imageSetting(.dataProvider("the text is not base64"))
        }
        return data
    }
}
