import AlcedoSupport
// Dispatch sources may be used from any thread, but their type does not say so.
@preconcurrency import Dispatch
import Glibc
import Synchronization

/// Reports the pictures that are written into folders and their subfolders, or removed from them (inotify(7)).
package enum FolderWatch {
    /// The largest number of folders that are watched.
    static let folderLimit = 1000
    /// The largest number of pictures that the search for subfolders finds.
    static let nameLimit = 100_000

    /// A change of a picture's file.
    package enum Change: Sendable, Hashable {
        /// The file was written, moved or linked to this path.
        case written(String)
        /// The file was deleted or moved away.
        case removed(String)
        /// A subfolder was made or moved here; only reported if subfolders are not watched.
        case folderWritten(String)
        /// The folder with this path was deleted or moved away, with all its pictures.
        case folderRemoved(String)
    }

    /// Returns the changes of pictures in the folders from now on.
    ///
    /// Hidden names are ignored unless they are asked for. A folder is what its path leads to: one that is replaced, or moved
    /// away and back, is reported as removed and its pictures as written. The stream never ends by itself, unless there is no
    /// folder to watch.
    ///
    /// - Parameter withSubfolders: Whether pictures in subfolders are reported, too; true by default.
    package static func changes(
        in folders: [String], withSubfolders: Bool = true, showsHidden: Bool = false
    ) -> AsyncStream<Change> {
        AsyncStream { continuation in
            guard !folders.isEmpty,
                let watcher = Watcher(of: folders, withSubfolders: withSubfolders, showsHidden: showsHidden)
            else {
                return continuation.finish()
            }
            let queue = DispatchQueue(label: "alcedo.folders", qos: .utility)
            let source = DispatchSource.makeReadSource(fileDescriptor: watcher.descriptor, queue: queue)
            source.setEventHandler { watcher.read { continuation.yield($0) } }
            source.setCancelHandler { withExtendedLifetime(watcher) {} }
            continuation.onTermination = { _ in source.cancel() }
            // The folders named by the user are watched at once; a deep tree takes time.
            watcher.addRoots()
            source.resume()
            guard withSubfolders else { return }
            queue.async { watcher.addSubfolders() }
        }
    }

    /// An inotify instance, closed with its last reference.
    private final class Watcher: Sendable {
        let descriptor: Int32
        /// The path of each watched folder, and whether its pictures are reported; those of folders above the roots are not.
        private let paths = Mutex<[Int32: (path: String, isListed: Bool)]>([:])
        /// The folders that the user named.
        private let roots: [String]
        private let withSubfolders: Bool
        private let showsHidden: Bool

        init?(of folders: [String], withSubfolders: Bool, showsHidden: Bool) {
            roots = folders.map { $0.count > 1 && $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
            (self.withSubfolders, self.showsHidden) = (withSubfolders, showsHidden)
            descriptor = inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC))
            guard descriptor >= 0 else { return nil }
        }

        deinit { if descriptor >= 0 { close(descriptor) } }

        private static let mask = UInt32(
            IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_ONLYDIR | IN_MASK_ADD)

        private func add(_ path: String, isListed: Bool) {
            paths.withLock { paths in
                guard paths.count < folderLimit else { return }
                let watch = path.withPath {
                    inotify_add_watch(descriptor, $0, Self.mask | (isListed ? UInt32(IN_CLOSE_WRITE) : 0))
                }
                if watch >= 0, isListed || paths[watch] == nil { paths[watch] = (path, isListed) }
            }
        }

        func add(_ folder: String) { add(folder, isListed: true) }

        /// Watches the named folders, and those above them, where they come back.
        func addRoots() {
            for root in roots {
                var folders: [String] = []
                var path = root
                while path != path.pathFolder {
                    path = path.pathFolder
                    folders.append(path)
                }
                // From the top, so that a folder made meanwhile is either watched or reported by the one above.
                for folder in folders.reversed() { add(folder, isListed: false) }
                add(root)
            }
        }

        /// Watches the subfolders of the named folders.
        func addSubfolders() {
            var listing = FolderListing.fileSystem
            // Without a report, no file's bytes need to be read.
            listing.isPicture = { _ in false }
            for root in roots { report(root, { _ in }, listing: listing) }
        }

        /// Watches a folder with its subfolders, and reports what is in them.
        private func report(_ folder: String, _ body: (Change) -> Void, listing: FolderListing = .fileSystem) {
            var walk = FolderWalk(
                root: folder, isFlat: withSubfolders, showsHidden: showsHidden, listing: listing, willRead: add)
            var pictures = 0
            while let events = try? walk.next() {
                for case .entry(let entry) in events {
                    body(entry.kind == .folder ? .folderWritten(entry.location) : .written(entry.location))
                }
                pictures += events.count
                if pictures > nameLimit || paths.withLock({ $0.count >= folderLimit }) { return }
            }
        }

        /// Reads all events.
        func read(_ body: (Change) -> Void) {
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                let count = Glibc.read(descriptor, &buffer, buffer.count)
                guard count > 0 else { return }
                var offset = 0
                while offset + 16 <= count {
                    let event = buffer.withUnsafeBytes {
                        $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    }
                    let name = buffer[(offset + 16)...].prefix(Int(event.len)).prefix { $0 != 0 }
                    handle(event, String(pathBytes: name), body)
                    offset += 16 + Int(event.len)
                }
            }
        }

        /// Ends the watches of a folder that was moved away; their paths are no longer valid.
        private func removeWatches(below folder: String) {
            paths.withLock { paths in
                for (watch, (path, _)) in paths where path == folder || path.hasPrefix(folder + "/") {
                    inotify_rm_watch(descriptor, watch)
                    paths[watch] = nil
                }
            }
        }

        /// Follows the named folders that have, or had, a path or lie below it.
        private func follow(_ path: String, isGone: Bool, _ body: (Change) -> Void) {
            // The working folder is not a part of relative paths.
            let path = path.hasPrefix("./") && !roots.contains { $0.hasPrefix("./") } ? String(path.dropFirst(2)) : path
            for root in roots where root == path || root.hasPrefix(path + "/") {
                removeWatches(below: path)
                body(.folderRemoved(root))
                guard !isGone else { continue }
                addRoots()
                report(root, body)
            }
        }

        private func handle(_ event: inotify_event, _ name: String, _ body: (Change) -> Void) {
            if event.mask & UInt32(IN_IGNORED) != 0 { paths.withLock { $0[event.wd] = nil } }
            guard !name.isEmpty, let folder = paths.withLock({ $0[event.wd] }) else { return }
            let path = folder.path.inFolder(name)
            follow(path, isGone: event.mask & UInt32(IN_DELETE | IN_MOVED_FROM) != 0, body)
            guard folder.isListed, showsHidden || !name.hasPrefix(".") else { return }
            let isNamed = PictureFileDetector.isViewable(name: name)
            if event.mask & UInt32(IN_DELETE | IN_MOVED_FROM) != 0 {
                if event.mask & UInt32(IN_ISDIR) != 0 {
                    removeWatches(below: path)
                    body(.folderRemoved(path))
                } else if isNamed || !name.contains(".") {
                    body(.removed(path))
                }
            } else if event.mask & UInt32(IN_ISDIR) != 0 {
                guard withSubfolders else { return body(.folderWritten(path)) }
                report(path, body)
            } else if isNamed || !name.contains(".") && PictureFileDetector.hasSignature(path) {
                // A link is complete when it is made. Other files are reported when they are closed.
                var facts = stat()
                let isLink =
                    path.withPath { lstat($0, &facts) } == 0
                    && (facts.st_mode & S_IFMT == S_IFLNK || facts.st_nlink > 1)
                if event.mask & UInt32(IN_CREATE) == 0 || isLink { body(.written(path)) }
            }
        }
    }
}
