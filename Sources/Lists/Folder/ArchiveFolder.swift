/// The pictures of an archive, whose files are read like those of a folder.
package enum ArchiveFolder {
    /// The order of the pictures.
    package enum Order: Sendable {
        /// The order of the archive, in which reading is fast.
        case stored
        /// The order of a folder's pictures: numbers by value.
        case natural
    }

    /// Returns an entry for each picture; its location is the path of the archive followed by that of the file.
    ///
    /// Skips hidden names and other files. Rejects pictures that have a problem.
    ///
    /// - Parameter files: The path of each file in the archive, with the reason if it cannot be read.
    package static func events(
        of files: [(name: String, problem: String?)], in path: String, _ order: Order
    ) -> [ListEvent] {
        let pictures = files.filter { file in
            let components = file.name.split(separator: "/")
            return PictureType.isViewable(name: String(components.last ?? ""))
                && !components.contains { $0.hasPrefix(".") }
        }
        let sorted = order == .stored ? pictures : pictures.sorted { FolderWalk.precedes($0.name, $1.name) }
        return sorted.enumerated().map { index, file in
            guard let problem = file.problem else {
                return .entry(ListEntry(line: index + 1, location: "\(path)/\(file.name)"))
            }
            return .rejected(line: index + 1, reason: "\(file.name): \(problem)")
        }
    }
}
