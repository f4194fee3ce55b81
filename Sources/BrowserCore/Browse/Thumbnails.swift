import Raster

/// The thumbnails of the grid: visible ones and some around them.
struct Thumbnails: Sendable, Equatable {
    /// The requested items in this order, and the box that they must fit.
    struct Request: Sendable, Equatable {
        var items: [ItemID] = []
        var box = PixelSize.zero
    }

    private(set) var request = Request()
    private var pictures: [Int: PictureFacts] = [:]

    func picture(of index: Int) -> PictureFacts? { pictures[index] }

    /// Replaces the request.
    ///
    /// - Returns: the thumbnails that are no longer needed, and whether the request changed.
    mutating func setRequest(_ new: Request) -> (released: [PictureID], isNew: Bool) {
        guard new != request else { return ([], false) }
        let isKept = new.box == request.box ? Set(new.items.map(\.rawValue)) : []
        let released = pictures.filter { !isKept.contains($0.key) }
        for index in released.keys { pictures[index] = nil }
        request = new
        return (released.values.map(\.picture), true)
    }

    /// Stores a thumbnail.
    ///
    /// - Returns: the picture that is not needed: the replaced one, or this one if it was not requested.
    mutating func receive(_ item: ItemID, _ facts: PictureFacts, for box: PixelSize) -> PictureID? {
        guard box == request.box, request.items.contains(item) else { return facts.picture }
        defer { pictures[item.rawValue] = facts }
        return pictures[item.rawValue]?.picture
    }
}

extension BrowseState {
    /// Whether the grid is visible.
    var showsGrid: Bool { isGrid && !isFullScreen }

    /// The visible rows of the grid.
    var gridRange: Range<Int> {
        let grid = layout.grid
        let first = min(gridTop * grid.columns, list.count)
        return first..<min(list.count, first + grid.capacity)
    }

    /// Keeps the cursor visible, and requests the visible thumbnails, then those of the next page.
    mutating func refreshThumbnails() -> [BrowseEffect] {
        guard isGrid else { return requestThumbnails(Thumbnails.Request()) }
        let grid = layout.grid
        gridTop = grid.top(gridTop, cursor: viewport.cursor)
        let range = gridRange
        let ahead = range.upperBound..<min(list.count, range.upperBound + grid.capacity)
        let behind = max(0, range.lowerBound - grid.columns)..<range.lowerBound
        let rows = Array(range) + Array(ahead) + Array(behind)
        let box = cell.pixels(of: grid.picture(0))
        return requestThumbnails(Thumbnails.Request(items: rows.map { ItemID(list.index(at: $0)) }, box: box))
    }

    private mutating func requestThumbnails(_ request: Thumbnails.Request) -> [BrowseEffect] {
        let change = thumbnails.setRequest(request)
        guard change.isNew else { return [] }
        return change.released.map { .releasePicture($0) } + [.thumbnails(request.items, box: request.box)]
    }
}
