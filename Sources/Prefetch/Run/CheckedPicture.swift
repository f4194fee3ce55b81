import AlcedoLists
import AlcedoSupport
import Foundation
import Glibc
import ImageLoading
import Raster

/// A usable picture of a run, with the facts by which pictures are compared.
package struct CheckedPicture: Sendable {
    /// A path or an address, as the list gives it.
    package let location: String
    /// The location without secrets, for display.
    package let shown: String
    /// The name of its list.
    package let list: String
    package let sha256: String?
    package let hash: PerceptualHash?
    package let format: ImageFormat?
    package let size: PixelSize?
    package let bytes: Int
    /// Whether no pixel is missing.
    package let isWhole: Bool
    /// The state of its file before it was read; nil for other pictures.
    package let mark: FileMark?

    init(_ item: ItemRecord, _ result: DataResult) {
        (location, shown, list) = (item.entry.location, item.shown, item.list)
        let facts = result.facts?.picture
        (sha256, hash, format) = (result.facts?.sha256, facts?.perceptualHash, facts?.format)
        size = facts?.width.flatMap { width in facts?.height.map { PixelSize(width: width, height: $0) } }
        bytes = result.byteCount
        isWhole = facts?.verdict.map { $0 == .whole } ?? true
        mark = item.mark
    }
}

/// The identity of a file with its size and time, which tells whether it has changed.
package struct FileMark: Sendable, Hashable {
    private let device, file: UInt64
    private let bytes, seconds, nanoseconds: Int
    /// Whether it is a regular file, and not a link to one.
    package let isFile: Bool

    /// Whether two names lead to one file.
    package func isSameFile(as other: FileMark) -> Bool { device == other.device && file == other.file }

    /// Looks at a file, not at what a link leads to; nil if there is none.
    package init?(_ path: String) {
        var status = stat()
        guard path.withPath({ lstat($0, &status) }) == 0 else { return nil }
        (device, file) = (UInt64(status.st_dev), UInt64(status.st_ino))
        (bytes, seconds, nanoseconds) = (Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        isFile = status.st_mode & S_IFMT == S_IFREG
    }
}

extension String {
    /// The path that all links lead to; the path itself if that is not known.
    package var resolvedPath: String {
        guard let real = withPath({ realpath($0, nil) }) else { return self }
        defer { free(real) }
        return String(pathCString: real)
    }
}
