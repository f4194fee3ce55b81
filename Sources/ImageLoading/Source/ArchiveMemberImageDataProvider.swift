import AlcedoImageCodecs
import AlcedoSupport
import FoundationEssentials
import Glibc

/// A provider that reads a file in an archive (zip, tar, 7z, rar), such as `/pictures/book.cbz/page 1.jpg`.
///
/// If the program has processes without rights (see `SandboxedDecoder`), libarchive unpacks in one of them. The default
/// cache key contains the archive's size and modification time, so that a changed archive has new images.
package struct ArchiveMemberImageDataProvider: ImageDataProvider {
    /// The archive.
    package let archiveURL: URL
    /// The path of the file in the archive.
    package let member: String
    package let cacheKey: String
    private let maximumBytes: Int?

    /// Creates a provider for a path through an archive; nil unless the path continues after a regular file.
    package init?(fileURL: URL, cacheKey: String? = nil) {
        let path = Array(fileURL.filePath.utf8)
        var facts = stat()
        guard fileURL.filePath.withPath({ stat($0, &facts) }) != 0, errno == ENOTDIR else { return nil }
        let slash = UInt8(ascii: "/")
        for end in path.indices.dropFirst() where path[end] == slash {
            let archive = String(decoding: path[..<end], as: UTF8.self)
            guard archive.withPath({ stat($0, &facts) }) == 0 else { return nil }
            if facts.st_mode & S_IFMT == S_IFDIR { continue }
            let components = path[end...].split(separator: slash).map { String(decoding: $0, as: UTF8.self) }
            let member = components.filter { $0 != "." }.joined(separator: "/")
            guard facts.st_mode & S_IFMT == S_IFREG, !member.isEmpty, !components.contains("..") else { return nil }
            let url = URL(file: archive)
            let key = cacheKey ?? "\(LocalFileImageDataProvider.key(for: url))/\(member)"
            self.init(archiveURL: url, member: member, cacheKey: key, maximumBytes: nil)
            return
        }
        return nil
    }

    private init(archiveURL: URL, member: String, cacheKey: String, maximumBytes: Int?) {
        (self.archiveURL, self.member) = (archiveURL, member)
        (self.cacheKey, self.maximumBytes) = (cacheKey, maximumBytes)
    }

    package var isWorthCachingOnDisk: Bool { false }

    /// Unpacks the file.
    ///
    /// - Throws: `CodecError` if the archive is damaged, or if the file is larger than the limit of the pipeline; 100
    ///   MiB outside of one.
    package func data() async throws -> Data {
        try await ArchiveReader.shared.data(
            of: member, in: archiveURL.filePath,
            limit: maximumBytes ?? DecodeLimits.standard.bytes)
    }
}

extension ArchiveMemberImageDataProvider: LimitedImageDataProvider {
    func limited(to bytes: Int) -> any ImageDataProvider {
        ArchiveMemberImageDataProvider(
            archiveURL: archiveURL, member: member, cacheKey: cacheKey, maximumBytes: maximumBytes ?? bytes)
    }
}

/// A provider that can stop after a number of bytes.
protocol LimitedImageDataProvider: ImageDataProvider {
    /// Returns a provider with this limit, unless it has its own.
    func limited(to bytes: Int) -> any ImageDataProvider
}

extension ImageDataProvider {
    /// Reads the bytes, up to a limit if the provider has one.
    package func data(limit: Int) async throws -> Data {
        try await ((self as? any LimitedImageDataProvider)?.limited(to: limit) ?? self).data()
    }
}
