import AlcedoSupport
import FoundationEssentials
import Glibc

/// The entries of a list, one after another as they are read.
///
/// The content determines the format: plain text, JSON Lines, JSON arrays or objects, a table (CSV, TSV), Markdown,
/// HTML, a sitemap, RSS or Atom; each may be packed with gzip or in UTF-16. Memory does not grow with the list: the
/// reader holds at most a chunk of 64 KiB and the entries in it, one table record up to 1 MiB, one JSON value up to 4
/// MiB, or the names of one folder. The iterator throws a ``ListError``, after the entries before it, if the list
/// cannot be read to its end.
package struct ListReader: AsyncSequence, Sendable {
    package typealias Element = ListEvent
    package typealias Failure = ListError

    package let source: ListSource
    private let base: ListBase?
    private let isFlat: Bool
    private let showsHidden: Bool
    private let columns: ColumnChoice
    /// The content of the list if it was downloaded.
    private var document: Data?
    /// The events of an archive, which the caller has read.
    private var events: [ListEvent] = []
    /// Why the archive cannot be read to its end.
    private var problem: ListError?

    /// Creates a reader of a source, which is opened when the first event is requested.
    ///
    /// - Parameter isFlat: Whether a folder's subfolders are read, too, instead of being entries; true by default.
    /// - Parameter showsHidden: Whether a folder's hidden files and folders are read, too.
    /// - Parameter base: The location that relative locations start from; by default the folder of a list file,
    ///   otherwise the working folder.
    package init(
        _ source: ListSource, base: ListBase? = nil, isFlat: Bool = true, showsHidden: Bool = false,
        columns: ColumnChoice = ColumnChoice()
    ) {
        self.source = source
        self.columns = columns
        (self.isFlat, self.showsHidden) = (isFlat, showsHidden)
        self.base = base
    }

    /// Creates a reader of a list that was downloaded.
    ///
    /// - Parameter base: The location that relative locations start from; by default the address.
    package init(
        document: Data, from address: String, base: ListBase? = nil, columns: ColumnChoice = ColumnChoice()
    ) {
        self.init(.picture(address), base: base ?? .web(address), columns: columns)
        self.document = document
    }

    /// Creates a reader of an archive's pictures.
    ///
    /// - Parameter problem: Why it cannot be read to its end.
    package init(archive path: String, _ events: [ListEvent], problem: String? = nil) {
        self.init(.archive(path))
        self.events = events
        self.problem = problem.map { .unreadable(file: path, line: nil, reason: $0) }
    }

    /// Whether the entries have line numbers that a user can look up.
    package var hasLines: Bool {
        switch source {
        case .file, .standardInput: true
        case .folder, .archive: false
        case .picture: document != nil
        }
    }

    package func makeAsyncIterator() -> Iterator {
        let name = source.name
        if let document, let base {
            return Iterator(
                text: ListTextReader(base: base, columns: columns) { () throws(ListError) in
                    MemorySource(document, name: name)
                })
        }
        switch source {
        case .picture(let location): return Iterator(events: [.entry(ListEntry(line: 1, location: location))])
        case .archive: return Iterator(events: events[...], problem: problem)
        case .folder(let path):
            return Iterator(folder: FolderWalk(root: path, isFlat: isFlat, showsHidden: showsHidden))
        case .standardInput:
            let base = base ?? .folder(FileManager.default.currentDirectoryPath)
            let text = ListTextReader(base: base, columns: columns) { () throws(ListError) in
                ByteStream(descriptor: STDIN_FILENO, name: name, closesDescriptor: false)
            }
            return Iterator(text: text)
        case .file(let path):
            let base = base ?? .folder(path.pathFolder)
            return Iterator(
                text: ListTextReader(base: base, columns: columns) { () throws(ListError) in
                    if let rows = try ParquetStream(path: path) { return rows }
                    return try ByteStream(path: path)
                })
        }
    }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate var events: ArraySlice<ListEvent> = []
        /// The error to throw after the events.
        fileprivate var problem: ListError?
        fileprivate var folder: FolderWalk?
        fileprivate var text: ListTextReader?

        package mutating func next() async throws(ListError) -> ListEvent? {
            try await next(isolation: #isolation)
        }

        package mutating func next(isolation actor: isolated (any Actor)?) async throws(ListError) -> ListEvent? {
            while events.isEmpty {
                guard !Task.isCancelled else { throw .cancelled }
                let next = folder == nil ? try await text?.next() : try await folder?.nextConcurrently()
                guard let next else {
                    guard let error = problem else { return nil }
                    problem = nil
                    throw error
                }
                events = next[...]
            }
            return events.popFirst()
        }
    }
}

extension FolderWalk {
    /// Does the same as `next`, but not on the caller's actor.
    @concurrent fileprivate mutating func nextConcurrently() async throws(ListError) -> [ListEvent]? { try next() }
}
