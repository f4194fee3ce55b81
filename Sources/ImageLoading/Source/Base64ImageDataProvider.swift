import Foundation

/// A provider that decodes base64 text (RFC 4648, section 4).
public struct Base64ImageDataProvider: ImageDataProvider {
    public let cacheKey: String
    private let text: String

    /// Creates a provider; the text is not read before `data()`.
    public init(base64String: String, cacheKey: String) {
        text = base64String
        self.cacheKey = cacheKey
    }

    /// Decodes the text; white space in it is ignored.
    ///
    /// - Throws: `ImageError.imageSetting(.dataProvider)` if the text is not base64.
    @concurrent
    public func data() async throws -> Data {
        let letters = text.utf8.filter { $0 != 0x20 && !Self.lineWhitespace.contains($0) }
        guard Self.isWellFormed(letters), let data = Data(base64Encoded: Data(letters)) else {
            throw ImageError.imageSetting(.dataProvider("the text is not base64"))
        }
        return data
    }

    private static let lineWhitespace: ClosedRange<UInt8> = 0x09...0x0D

    /// Returns whether the text has groups of four with at most two padding signs at the end.
    ///
    /// Foundation accepts padding anywhere.
    private static func isWellFormed(_ letters: [UInt8]) -> Bool {
        let padding = UInt8(ascii: "=")
        let content = letters.dropLast(letters.suffix(2).reversed().prefix { $0 == padding }.count)
        return letters.count % 4 == 0 && !content.contains(padding)
    }
}
