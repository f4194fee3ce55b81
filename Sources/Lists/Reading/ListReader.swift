import Foundation

/// The entries of a list, one after another as they are read.
///
/// Memory does not grow with the list: at most one piece of 64 KiB and the entries in it, or one folder's names, are
/// held. Iterating throws a ``ListError`` when the list cannot be read (any further).
public struct ListReader: AsyncSequence, Sendable {
    public typealias Element = ListEvent
    public typealias Failure = ListError

    public let source: ListSource
    private let folder: String

    /// A reader of the source; nothing is opened before the first event is asked for.
    ///
    /// `folder` is what relative paths on standard input start from, by default the working folder. In a list file
    /// they start from the file's own folder.
    public init(_ source: ListSource, folder: String = FileManager.default.currentDirectoryPath) {
        self.source = source
        self.folder = folder
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(feed: Self.feed(of: source, folder))
    }

    private static func feed(of source: ListSource, _ folder: String) -> any ListFeed {
        switch source {
        case .picture(let location): PictureFeed(location: location)
        case .folder(let path): FolderFeed(walk: FolderWalk(root: path))
        case .standardInput:
            TextFeed(folder: folder) { () throws(ListError) in
                ByteStream(descriptor: STDIN_FILENO, name: source.name, owned: false)
            }
        case .file(let path):
            TextFeed(folder: (path as NSString).deletingLastPathComponent) { () throws(ListError) in
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
