import Foundation

/// Yields a picture's bytes from anywhere but the network; the user's own providers conform to it.
public protocol ImageDataProvider: Sendable {
    /// What the cache knows the picture by; equal keys are read once at a time.
    var cacheKey: String { get }
    /// Whether the bytes are worth a copy in the disk cache: not when they lie on this disk already.
    var isWorthCachingOnDisk: Bool { get }
    /// Reads the bytes; must stop when its task is cancelled.
    func data() async throws -> Data
    /// Reads the bytes and tells how many there are so far, and of how many when that is known.
    ///
    /// The same as `data()` by default, with nothing told.
    func data(onProgress: @escaping @Sendable (_ received: Int, _ expected: Int?) -> Void) async throws -> Data
}

extension ImageDataProvider {
    public var isWorthCachingOnDisk: Bool { true }

    public func data(
        onProgress: @escaping @Sendable (_ received: Int, _ expected: Int?) -> Void
    ) async throws -> Data { try await data() }
}
