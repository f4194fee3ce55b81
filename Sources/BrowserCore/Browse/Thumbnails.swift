import Raster

/// The small pictures of the grid: those on the screen and some around them.
struct Thumbnails: Sendable, Equatable {
    /// What was asked for: these, in this order, to fit this box.
    struct Wish: Sendable, Equatable {
        var items: [ItemID] = []
        var box = PixelSize.zero
    }

    private(set) var wish = Wish()
    private var pictures: [Int: PictureFacts] = [:]

    func picture(of index: Int) -> PictureFacts? { pictures[index] }

    /// Asks for other ones; answers what is no longer needed, and whether anything is new.
    mutating func want(_ new: Wish) -> (released: [PictureID], isNew: Bool) {
        guard new != wish else { return ([], false) }
        let isKept = new.box == wish.box ? Set(new.items.map(\.rawValue)) : []
        let released = pictures.filter { !isKept.contains($0.key) }
        for index in released.keys { pictures[index] = nil }
        wish = new
        return (released.values.map(\.picture), true)
    }

    /// Takes one; answers what is not needed.
    mutating func receive(_ item: ItemID, _ facts: PictureFacts, for box: PixelSize) -> PictureID? {
        guard box == wish.box, wish.items.contains(item) else { return facts.picture }
        defer { pictures[item.rawValue] = facts }
        return pictures[item.rawValue]?.picture
    }
}

extension BrowseState {
    /// Whether the grid is what one sees.
    var showsGrid: Bool { isGrid && !isFullScreen }

    /// Items of the grid from the first on the screen on.
    var gridRange: Range<Int> {
        let grid = layout.grid
        let first = min(gridTop * grid.columns, list.count)
        return first..<min(list.count, first + grid.capacity)
    }

    /// Keeps the cursor on the screen, and asks for the thumbnails there and then for those of the next page.
    mutating func refreshThumbnails() -> [BrowseEffect] {
        guard isGrid else { return want(Thumbnails.Wish()) }
        let grid = layout.grid
        gridTop = grid.top(gridTop, cursor: viewport.cursor)
        let range = gridRange
        let ahead = range.upperBound..<min(list.count, range.upperBound + grid.capacity)
        let behind = max(0, range.lowerBound - grid.columns)..<range.lowerBound
        let rows = Array(range) + Array(ahead) + Array(behind)
        let box = cell.pixels(of: grid.picture(0))
        return want(Thumbnails.Wish(items: rows.map { ItemID(list.index(at: $0)) }, box: box))
    }

    private mutating func want(_ wish: Thumbnails.Wish) -> [BrowseEffect] {
        let change = thumbnails.want(wish)
        guard change.isNew else { return [] }
        return change.released.map { .releasePicture($0) } + [.thumbnails(wish.items, box: wish.box)]
    }
}
