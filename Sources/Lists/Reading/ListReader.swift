import Foundation

/// The entries of a list, one after another as they are read.
///
/// The content tells the format: plain text, JSON Lines, arrays or objects, a table with a header, Markdown, HTML, a sitemap,
/// RSS or Atom; any of them packed with gzip or in UTF-16. Memory does not grow with the list: at most one piece of 64 KiB
/// and the entries in it, one record of a table up to 1 MiB, one JSON object up to 4 MiB, or one folder's names, are held.
/// Iterating throws a ``ListError`` when the list cannot be read any further, after
/// what was read.
public struct ListReader: AsyncSequence, Sendable {
    public typealias Element = ListEvent
    public typealias Failure = ListError

    public let source: ListSource
    private let folder: String
    private let base: ListBase?
    /// The list itself, where it is there already.
    private var document: Data?

    /// A reader of the source; nothing is opened before the first event is asked for.
    ///
    /// Relative locations start from `base`; without one, the default, those of a list file start from the file's own
    /// folder, and those on standard input from `folder`, by default the working folder.
    public init(
        _ source: ListSource, folder: String = FileManager.default.currentDirectoryPath, base: ListBase? = nil
    ) {
        self.source = source
        self.folder = folder
        self.base = base
    }

    /// A reader of a list that was fetched from a web address.
    ///
    /// Relative locations start from `base`; without one, the default, from the address.
    public init(document: Data, from address: String, base: ListBase? = nil) {
        self.init(.picture(address), base: base ?? .web(address))
        self.document = document
    }

    /// Whether its entries stand in lines that a person can look up.
    public var hasLines: Bool {
        switch source {
        case .file, .standardInput: true
        case .folder: false
        case .picture: document != nil
        }
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(feed: feed())
    }

    private func feed() -> any ListFeed {
        let name = source.name
        if let document, let base {
            return TextFeed(base: base) { () throws(ListError) in MemorySource(document, name: name) }
        }
        switch source {
        case .picture(let location): return PictureFeed(location: location)
        case .folder(let path): return FolderFeed(walk: FolderWalk(root: path))
        case .standardInput:
            return TextFeed(base: base ?? .folder(folder)) { () throws(ListError) in
                ByteStream(descriptor: STDIN_FILENO, name: name, owned: false)
            }
        case .file(let path):
            return TextFeed(base: base ?? .folder((path as NSString).deletingLastPathComponent)) {
                () throws(ListError) in
                try ByteStream(path: path)
            }
        }
    }

    public struct Iterator: AsyncIteratorProtocol {
        private var feed: any ListFeed
        private var ready: ArraySlice<ListEvent> = []

        init(feed: any ListFeed) {
            self.feed = feed
        }

        public mutating func next() async throws(ListError) -> ListEvent? {
            try await next(isolation: #isolation)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ListError) -> ListEvent? {
            while ready.isEmpty {
                guard !Task.isCancelled else { throw .cancelled }
                guard let events = try await feed.next() else { return nil }
                ready = events[...]
            }
            return ready.popFirst()
        }
    }
}
