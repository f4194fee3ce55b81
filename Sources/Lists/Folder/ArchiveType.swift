import Foundation

/// Detection of archive files by their names and by their first bytes.
enum ArchiveType {
    private static let extensions = [
        ".zip", ".cbz", ".tar", ".cbt", ".7z", ".cb7", ".rar", ".cbr", ".tgz", ".tbz2", ".txz", ".tzst",
    ]
    private static let packers = [".gz", ".bz2", ".xz", ".zst", ".lz4", ".Z"]

    private static let signatures: [(offset: Int, bytes: [UInt8])] = [
        (0, Array("PK\u{3}\u{4}".utf8)), (257, Array("ustar".utf8)), (0, Array("Rar!\u{1A}\u{7}".utf8)),
        (0, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]),
    ]

    /// Returns whether the file is an archive by name or content; false if it cannot be read.
    ///
    /// A packed tar file is recognised by its name only, as a packed list begins with the same bytes.
    static func isArchive(path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        let name = path.lowercased()
        if (extensions + packers.map { ".tar" + $0.lowercased() }).contains(where: name.hasSuffix) { return true }
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        let beginning = (try? file.read(upToCount: 262)) ?? Data()
        return signatures.contains { beginning.dropFirst($0.offset).starts(with: $0.bytes) }
    }
}
