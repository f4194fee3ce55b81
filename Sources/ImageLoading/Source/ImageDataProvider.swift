import AlcedoSupport
import Foundation
import Glibc
import Raster

/// A source of an image's bytes other than the network; applications can add their own providers.
public protocol ImageDataProvider: SourceConvertible {
    /// The key of the image in the cache; equal keys are read once at a time.
    var cacheKey: String { get }
    /// Whether the disk cache should store the bytes; false for bytes that are on this disk already.
    var isWorthCachingOnDisk: Bool { get }
    /// The URL of the content; nil, the default, for content without one.
    var contentURL: URL? { get }
    /// Reads the bytes; must stop when its task is cancelled.
    func data() async throws -> Data
    /// Reads the bytes and reports the number read so far, and the expected number if it is known.
    ///
    /// By default it calls `data()` and reports nothing.
    func data(onProgress: @escaping @Sendable (_ received: Int, _ expected: Int?) -> Void) async throws -> Data
}

extension ImageDataProvider {
    public func convertToSource() -> Source { .provider(self) }

    public var isWorthCachingOnDisk: Bool { true }
    public var contentURL: URL? { nil }

    public func data(
        onProgress: @escaping @Sendable (_ received: Int, _ expected: Int?) -> Void
    ) async throws -> Data { try await data() }
}

/// A provider of bytes that are in memory.
public struct RawImageDataProvider: ImageDataProvider {
    public let cacheKey: String
    private let bytes: Data

    /// Creates a provider of these bytes.
    public init(data: Data, cacheKey: String) {
        (bytes, self.cacheKey) = (data, cacheKey)
    }

    public func data() async throws -> Data { bytes }
}

/// A provider that decodes base64 text (RFC 4648, section 4).
public struct Base64ImageDataProvider: ImageDataProvider {
    public let cacheKey: String
    private let text: String

    /// Creates a provider; the text is not read before `data()`.
    public init(base64String: String, cacheKey: String) {
        (text, self.cacheKey) = (base64String, cacheKey)
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
        let body = Data(AddressEncoder.bytes(of: text[text.index(after: comma)...]))
        let data = header.hasSuffix(";base64") ? Data(base64Encoded: body) : body
        guard let data else { throw ImageError.imageSetting(.dataProvider("the data URL's content is malformed")) }
        return data
    }
}

/// A provider that reads a file.
///
/// Only regular files up to a limit are read; folders, devices and pipes are rejected without blocking. The cache key
/// contains the file's size and modification time, so that a changed file is a new image.
public struct LocalFileImageDataProvider: LimitedImageDataProvider {
    /// The file; symbolic links are followed.
    package let fileURL: URL
    public let cacheKey: String
    /// The limit in bytes; the request's `DecodeLimits.bytes` if nil, the default, and 100 MiB outside a pipeline.
    package let maximumBytes: Int?

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
        let path = fileURL.filePath
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
            if parent.withPath({ access($0, F_OK) }) != 0 { return isHost(folder) }
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
        guard url.filePath.withPath({ stat($0, &status) }) == 0 else { return url.absoluteString }
        let changed = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        return "\(url.absoluteString)#\(status.st_size)-\(changed)"
    }
}
