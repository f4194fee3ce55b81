import AlcedoBrowserCore
import AlcedoScreen
import AlcedoTerminal
import Raster
import TestSupport

/// What the browser must show after all that a person did: its own pure state, whose pictures are there at once.
struct StoryOracle {
    private var state = BrowseState(title: "story")
    private let sizes: [PixelSize]
    /// Whose picture each one is.
    private var items: [PictureID: Int] = [:]

    /// A picture in its place.
    struct Standing: Equatable {
        let item: Int
        let rect: Rect
    }

    /// A list of pictures of these names and sizes.
    init(_ pictures: [(name: String, size: PixelSize)], columns: Int, rows: Int, cell: CellSize) {
        sizes = pictures.map(\.size)
        let list = pictures.enumerated().map {
            BrowseItem(
                id: ItemID($0.offset), name: $0.element.name, place: "127.0.0.1",
                location: "http://127.0.0.1/\($0.element.name)")
        }
        tell(.resized(GridSize(columns: columns, rows: rows), cell))
        tell(.itemsAdded(list))
        tell(.listFinished(skipped: 0, reasons: []))
    }

    var chosen: Int { state.selected?.rawValue ?? 0 }

    /// The picture that must be seen; nil where a panel or the list hides it.
    var standing: Standing? { standings.first }

    /// All that must be seen: one picture, or in the grid all that are on its page.
    var standings: [Standing] {
        state.frame.pictures.compactMap { placement in
            items[placement.picture].map { Standing(item: $0, rect: placement.rect) }
        }
    }

    mutating func tell(_ message: BrowseMessage) { perform(state.update(message)) }

    /// Presses keys, given as a terminal sends them; false, with nothing done, when they would do what the story
    /// cannot follow: end or stop the program, cancel what is here already but not there, run the palette's choice, or
    /// go to a task, which are others there.
    mutating func press(_ text: String) -> Bool {
        var parser = InputParser()
        var next = self
        for case .key(let key) in parser.parse(text.utf8) + parser.flush() {
            if key == .enter, next.state.frame.cursor != nil || next.hasTasks { return false }
            let effects = next.state.update(.key(key))
            guard effects.allSatisfy(Self.canFollow) else { return false }
            next.perform(effects)
        }
        self = next
        return true
    }

    /// Whether the tasks are open: their heading is where nothing else is called so.
    private var hasTasks: Bool {
        let frame = state.frame
        return String((0..<frame.size.columns).compactMap { frame[$0, 0].character }).contains("0 running")
    }

    private static func canFollow(_ effect: BrowseEffect) -> Bool {
        switch effect {
        case .load(_, _, _, nil, _), .cancelLoad, .prefetch, .setPrefetchPaused, .prepare, .releasePicture, .redraw,
            .thumbnails:
            true
        default: false
        }
    }

    private mutating func perform(_ effects: [BrowseEffect]) {
        for effect in effects {
            switch effect {
            case .load(let request, let item, let box, _, _): tell(.slotPicture(request, facts(of: item, within: box)))
            case .thumbnails(let items, let box, _):
                for item in items { tell(.thumbnail(item, box: box, facts(of: item, within: box))) }
            default: break
            }
        }
    }

    private mutating func facts(of item: ItemID, within box: PixelSize) -> ShownPicture {
        let (picture, size) = (PictureID(items.count + 1), sizes[item.rawValue])
        items[picture] = item.rawValue
        return ShownPicture(
            picture: picture, size: size.scaled(to: box), originalSize: size, format: "PNG", bytes: 1, frames: 1,
            origin: .memory,
            milliseconds: 0, processor: "")
    }
}

extension ScreenModel {
    /// The text, with a `#` where pixels are; for those who look for a mistake.
    var sketch: String {
        zip(pieces, lines).map { row, line in
            let text = Array(line) + Array(repeating: " ", count: max(0, row.count - line.count))
            return String(zip(row, text).map { $0 == nil ? $1 : "#" })
        }.joined(separator: "\n")
    }
}
