import Foundation

/// A provider of bytes that are in memory.
public struct RawImageDataProvider: ImageDataProvider {
    public let cacheKey: String
    private let bytes: Data

    public init(data: Data, cacheKey: String) {
        bytes = data
        self.cacheKey = cacheKey
    }

    public func data() async throws -> Data { bytes }
}
