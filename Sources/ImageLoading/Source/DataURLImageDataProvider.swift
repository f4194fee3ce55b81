import Crypto
import Foundation

/// A provider that reads the bytes of a `data:` URL (RFC 2397), base64 or percent-encoded.
public struct DataURLImageDataProvider: ImageDataProvider {
    public let cacheKey: String
    private let text: String

    /// Creates a provider; its cache key is `data:` and the SHA-256 of the text.
    public init(_ text: String) {
        self.text = text
        cacheKey = "data:" + ContentDigest(of: Data(text.utf8)).hexadecimal
    }

    public var isWorthCachingOnDisk: Bool { false }

    /// Decodes the content of the URL.
    ///
    /// - Throws: `ImageError.imageSetting(.dataProvider)` if the URL is malformed.
    public func data() async throws -> Data {
        guard text.lowercased().hasPrefix("data:"), let comma = text.firstIndex(of: ",") else {
            throw ImageError.imageSetting(.dataProvider("a data URL needs a comma before its content"))
        }
        let header = text[..<comma].lowercased()
        let body = text[text.index(after: comma)...].removingPercentEncoding
        let data = header.hasSuffix(";base64") ? body.flatMap { Data(base64Encoded: $0) } : body.map { Data($0.utf8) }
        guard let data else { throw ImageError.imageSetting(.dataProvider("the data URL's content is malformed")) }
        return data
    }
}
