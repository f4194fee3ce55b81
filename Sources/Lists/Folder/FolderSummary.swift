import AlcedoSupport
import FoundationEssentials
import Glibc

/// The contents of a folder: its own pictures and subfolders, without hidden ones unless they are asked for.
package struct FolderSummary: Sendable, Equatable {
    /// The files that are measured; the size and date of a larger folder stay unknown.
    private static let measured = 5000

    package private(set) var pictures = 0
    package private(set) var folders = 0
    /// The paths of the first pictures in natural order.
    package private(set) var first: [String] = []
    /// The bytes of all pictures; nil if they are too many.
    package private(set) var bytes: Int?
    /// When the newest picture was changed, in seconds since 1970; nil without one, or if they are too many.
    package private(set) var newest: Int?

    /// Reads a folder; throws if it cannot be read.
    ///
    /// - Parameter count: The number of paths in `first`; with 0, sizes and dates are not read either.
    package init(of path: String, first count: Int, showsHidden: Bool = false) throws(ListError) {
        let items = try FolderListing.fileSystem.items(path).filter { showsHidden || !$0.isHidden }
        let names = items.filter { $0.kind == .file && PictureFileDetector.isViewable(name: $0.name) }.map(\.name)
        pictures = names.count
        folders = items.count { if case .folder = $0.kind { true } else { false } }
        guard count > 0 else { return }
        first = NaturalOrder.sorted(names, by: \.self).prefix(count).map(path.inFolder)
        guard names.count <= Self.measured else { return }
        bytes = 0
        for name in names {
            var status = stat()
            guard path.inFolder(name).withPath({ stat($0, &status) }) == 0 else { continue }
            let (sum, isTooLarge) = (bytes ?? 0).addingReportingOverflow(Int(status.st_size))
            bytes = isTooLarge ? .max : sum
            newest = max(newest ?? .min, status.st_mtim.tv_sec)
        }
    }
}
