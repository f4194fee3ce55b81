import Foundation
import Glibc
import Support

/// A provider that reads a file.
///
/// Only regular files up to a limit are read; folders, devices and pipes are rejected without blocking. The cache key
/// contains the file's size and modification time, so that a changed file is a new image.
public struct LocalFileImageDataProvider: LimitedImageDataProvider {
    /// The file; symbolic links are followed.
    public let fileURL: URL
    public let cacheKey: String
    /// The limit in bytes; the request's `DecodeLimits.bytes` if nil, the default, and 100 MiB outside a pipeline.
    public let maximumBytes: Int?

    /// Creates a provider; the default key contains the file's current size and modification time.
    public init(fileURL: URL, cacheKey: String? = nil, maximumBytes: Int? = nil) {
        self.fileURL = fileURL
        self.maximumBytes = maximumBytes
        self.cacheKey = cacheKey ?? Self.key(for: fileURL)
    }

    public var isWorthCachingOnDisk: Bool { false }

    func limited(to bytes: Int) -> any ImageDataProvider {
        LocalFileImageDataProvider(fileURL: fileURL, cacheKey: cacheKey, maximumBytes: maximumBytes ?? bytes)
    }

    public func data() async throws -> Data { try await data { _, _ in } }

    /// Reads the file; reports progress and checks for cancellation after each 256 KiB.
    @concurrent
    public func data(
        onProgress: @escaping @Sendable (_ received: Int, _ expected: Int?) -> Void
    ) async throws -> Data {
        let path = fileURL.path(percentEncoded: false)
        let limits = DecodeLimits(bytes: maximumBytes ?? DecodeLimits.standard.bytes)
        do throws(RegularFile.Problem) {
            return try RegularFile.read(path, limit: limits.bytes) { received, expected in
                onProgress(received, expected)
                return !Task.isCancelled
            }
        } catch {
            switch error {
            case .stopped: throw ImageError.cancelled
            case .tooLarge(let bytes, _):
                try ImageError.wrapping { () throws(CodecError) in try limits.check(bytes: bytes) }
                throw error
            case .system("open", ENOENT): throw Self.namesHost(path) ? .noScheme : error
            default: throw error
            }
        }
    }

    /// Returns whether the first missing folder of the path looks like a host name.
    private static func namesHost(_ path: String) -> Bool {
        var parent = ""
        for folder in path.split(separator: "/").dropLast() {
            parent += "/" + folder
            if access(parent, F_OK) != 0 { return isHost(folder) }
        }
        return false
    }

    private static func isHost(_ name: Substring) -> Bool {
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        let labels = parts[0].lowercased().split(separator: ".")
        if parts.count == 2, UInt16(parts[1]) != nil { return labels.count > 1 || labels == ["localhost"] }
        return labels.count > 1 && (labels.first == "www" || domains.contains(String(labels[labels.count - 1])))
    }

    private static let domains: Set<String> = ["com", "org", "net", "io", "dev", "app", "edu", "gov"]

    /// Returns the file's URL with its size and modification time.
    static func key(for url: URL) -> String {
        var status = stat()
        guard stat(url.path(percentEncoded: false), &status) == 0 else { return url.absoluteString }
        let changed = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        return "\(url.absoluteString)#\(status.st_size)-\(changed)"
    }
}
