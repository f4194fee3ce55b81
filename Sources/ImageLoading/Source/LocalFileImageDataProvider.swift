import Foundation
import Glibc

/// Reads a file.
///
/// Only regular files up to `maximumBytes` are read; folders, devices and pipes are refused without blocking.
/// The cache key carries the file's size and time of change, so that an edited file is a new picture.
public struct LocalFileImageDataProvider: ImageDataProvider {
    /// The file; links are followed.
    public let fileURL: URL
    public let cacheKey: String
    /// 100 MiB by default.
    public let maximumBytes: Int

    /// Takes a file; its key, where none is given, is made now, from the file's size and time of change.
    public init(fileURL: URL, cacheKey: String? = nil, maximumBytes: Int = DecodeLimits.standard.bytes) {
        self.fileURL = fileURL
        self.maximumBytes = maximumBytes
        self.cacheKey = cacheKey ?? Self.key(for: fileURL)
    }

    public var isWorthCachingOnDisk: Bool { false }

    public func data() async throws -> Data { try await data { _, _ in } }

    /// Tells its progress, and looks for a cancel, after each 256 KiB.
    @concurrent
    public func data(
        onProgress: @escaping @Sendable (_ received: Int, _ expected: Int?) -> Void
    ) async throws -> Data {
        let path = fileURL.path(percentEncoded: false)
        do throws(RegularFile.Problem) {
            return try RegularFile.read(path, limit: maximumBytes) { received, expected in
                onProgress(received, expected)
                return !Task.isCancelled
            }
        } catch {
            switch error {
            case .stopped: throw ImageError.cancelled
            case .system("open", ENOENT): throw Self.namesHost(path) ? .noScheme : error
            default: throw error
            }
        }
    }

    /// Whether a folder in the path is called as hosts are.
    private static func namesHost(_ path: String) -> Bool {
        path.split(separator: "/").dropLast().contains { folder in
            let port = folder.split(separator: ":", omittingEmptySubsequences: false)
            return folder.hasPrefix("www.") || port.count == 2 && UInt16(port[1]) != nil
                || folder.split(separator: ".").dropFirst().last.map { domains.contains($0.lowercased()) } == true
        }
    }

    private static let domains: Set<String> = ["com", "org", "net", "io", "dev", "app", "edu", "gov"]

    /// The address with the file's size and time of change.
    static func key(for url: URL) -> String {
        var status = stat()
        guard stat(url.path(percentEncoded: false), &status) == 0 else { return url.absoluteString }
        let changed = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        return "\(url.absoluteString)#\(status.st_size)-\(changed)"
    }
}
