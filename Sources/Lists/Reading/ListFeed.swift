/// A source of events in pieces of bounded size; nil at the end.
protocol ListFeed {
    mutating func next() async throws(ListError) -> [ListEvent]?
}

/// One picture.
struct PictureFeed: ListFeed {
    let location: String
    private var given = false

    init(location: String) {
        self.location = location
    }

    mutating func next() -> [ListEvent]? {
        if given { return nil }
        given = true
        return [.entry(ListEntry(line: 1, location: location))]
    }
}

/// The pictures of a folder, one subfolder after another.
struct FolderFeed: ListFeed {
    var walk: FolderWalk

    @concurrent mutating func next() async throws(ListError) -> [ListEvent]? {
        try walk.next()
    }
}
