import Foundation
import Glibc
import ImageCodecs

/// A provider that reads a file in an archive (zip, tar, 7z, rar), such as `/pictures/book.cbz/page 1.jpg`.
///
/// libarchive unpacks it in a process without rights if the program has them (see `SandboxedDecoder`). The default cache
/// key contains the archive's size and modification time, so that a changed archive has new images.
public struct ArchiveMemberImageDataProvider: ImageDataProvider {
    /// The archive.
    public let archiveURL: URL
    /// The path of the file in the archive.
    public let member: String
    public let cacheKey: String
    private let maximumBytes: Int?

    /// Creates a provider for a path through an archive; nil unless the path continues behind a regular file.
    public init?(fileURL: URL, cacheKey: String? = nil) {
        let path = fileURL.path(percentEncoded: false)
        var facts = stat()
        guard stat(path, &facts) != 0, errno == ENOTDIR else { return nil }
        var archive = fileURL.deletingLastPathComponent()
        while stat(archive.path(percentEncoded: false).droppingLastSlash, &facts) != 0 {
            guard errno == ENOTDIR else { return nil }
            archive.deleteLastPathComponent()
        }
        let archivePath = archive.path(percentEncoded: false).droppingLastSlash
        let url = URL(filePath: archivePath, directoryHint: .notDirectory)
        let member = String(path.dropFirst(archivePath.count + 1))
        self.init(
            archiveURL: url, member: member,
            cacheKey: cacheKey ?? "\(LocalFileImageDataProvider.key(for: url))/\(member)", maximumBytes: nil)
    }

    private init(archiveURL: URL, member: String, cacheKey: String, maximumBytes: Int?) {
        (self.archiveURL, self.member) = (archiveURL, member)
        (self.cacheKey, self.maximumBytes) = (cacheKey, maximumBytes)
    }

    public var isWorthCachingOnDisk: Bool { false }

    /// Unpacks the file.
    ///
    /// - Throws: `CodecError` if the archive is damaged, or if the file is larger than the limit of the pipeline; 100 MiB
    ///   outside of one.
    public func data() async throws -> Data {
        try await ArchiveReader.shared.data(
            of: member, in: archiveURL.path(percentEncoded: false),
            limit: maximumBytes ?? DecodeLimits.standard.bytes)
    }
}

extension ArchiveMemberImageDataProvider: LimitedImageDataProvider {
    func limited(to bytes: Int) -> any ImageDataProvider {
        ArchiveMemberImageDataProvider(
            archiveURL: archiveURL, member: member, cacheKey: cacheKey, maximumBytes: maximumBytes ?? bytes)
    }
}

/// A provider that can stop at a number of bytes.
protocol LimitedImageDataProvider: ImageDataProvider {
    /// Returns a provider with this limit, unless it has its own.
    func limited(to bytes: Int) -> any ImageDataProvider
}

extension String {
    fileprivate var droppingLastSlash: String { count > 1 && hasSuffix("/") ? String(dropLast()) : self }
}
