import AlcedoScreen
import Raster

@testable import AlcedoBrowserCore

/// A browser driven by messages, with the effects that it requested.
struct Browser {
    var state: BrowseState
    var effects: [BrowseEffect] = []

    init(options: BrowseOptions = BrowseOptions(), size: GridSize = GridSize(columns: 120, rows: 30)) {
        state = BrowseState(title: "photos.txt", options: options)
        send(.tick(milliseconds: 0))
        send(.resized(size, CellSize.fallback))
        effects = []
    }

    var frame: Frame { state.frame }

    /// Sends a message and keeps only its effects.
    @discardableResult
    mutating func send(_ message: BrowseMessage) -> [BrowseEffect] {
        effects = state.update(message)
        return effects
    }

    @discardableResult
    mutating func press(_ keys: Key...) -> [BrowseEffect] {
        effects = keys.flatMap { state.update(.key($0)) }
        return effects
    }

    /// Types characters one by one.
    @discardableResult
    mutating func type(_ text: String) -> [BrowseEffect] {
        effects = text.flatMap { state.update(.key(.character($0))) }
        return effects
    }

    mutating func add(names: [String]) {
        let start = state.list.items.count
        let items = names.enumerated().map { offset, name in
            BrowseItem(
                id: ItemID(start + offset), name: name, place: "images.example.org",
                location: "https://images.example.org/2026/07/\(name)")
        }
        send(.itemsAdded(items))
    }

    mutating func add(count: Int) {
        let start = state.list.items.count
        add(names: (start..<start + count).map { "picture-\($0).jpg" })
    }
}

extension [BrowseEffect] {
    /// The request that these effects start.
    var load: (id: RequestID, item: ItemID, box: PixelSize, reload: Bool)? {
        for case .load(let id, let item, let box, _, let reload) in self { return (id, item, box, reload) }
        return nil
    }

    /// The prefetch order in these effects.
    var prefetch: [Int]? {
        for case .prefetch(let order) in self { return order.map(\.rawValue) }
        return nil
    }

    /// The items of which these effects ask how they were taken.
    var captures: [Int] {
        flatMap { if case .readCaptures(let items) = $0 { items.map(\.rawValue) } else { [Int]() } }
    }

    var cancelled: [RequestID] {
        compactMap { if case .cancelLoad(let id) = $0 { id } else { nil } }
    }
}

extension ShownPicture {
    static func sample(_ number: Int, size: PixelSize, origin: PictureOrigin = .memory) -> ShownPicture {
        ShownPicture(
            picture: PictureID(number), size: size, originalSize: PixelSize(width: 1680, height: 1050),
            format: "JPEG", bytes: 943_718, frames: 1, origin: origin, milliseconds: 214,
            processor: "downsample |> round(20)")
    }
}
