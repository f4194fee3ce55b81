import AlcedoBrowserCore
import AlcedoConfig
import AlcedoLists
import AlcedoScreen
import AlcedoSupport
import FoundationEssentials
import ImageLoading
import Raster
import TerminalGraphics

/// The picture of a folder: up to four of its pictures, two by two; of two, one beside or above the other.
@MainActor
enum FolderPicture {
    /// The pixels between two pictures.
    private static let gap = 8

    /// Returns what a folder contains; nil if it cannot be read.
    @concurrent
    nonisolated static func summary(of path: String, first count: Int, showsHidden: Bool) async -> FolderSummary? {
        try? FolderSummary(of: path, first: count, showsHidden: showsHidden)
    }

    /// Returns the picture within a box; the places of pictures that cannot be shown stay empty.
    ///
    /// - Parameters:
    ///   - background: The colour of the checkerboard behind transparent parts.
    ///   - options: Returns the options for a picture within a box.
    static func make(
        _ paths: [String], within box: PixelSize, background: Color, of pipeline: ImagePipeline,
        options: (PixelSize) -> ImageOptions
    ) async -> PixelBuffer? {
        let isTall = box.width < box.height * 3 / 2
        let (columns, rows) = paths.count > 2 ? (2, 2) : paths.count < 2 ? (1, 1) : isTall ? (1, 2) : (2, 1)
        let part = PixelSize(
            width: (box.width - gap * (columns - 1)) / columns, height: (box.height - gap * (rows - 1)) / rows)
        guard !part.isEmpty else { return nil }
        var canvas: PixelBuffer?
        for (index, path) in paths.prefix(4).enumerated() {
            guard let source = SourceReference.source(for: path),
                let image = try? await Thumbnail.load(source, within: part, of: pipeline, options: options),
                !Task.isCancelled
            else { continue }
            let pixels = image.pixels.checkered(around: background)
            if paths.count == 1 { return pixels }
            var drawn = canvas ?? PixelBuffer(size: box, filledWith: Color(red: 0, green: 0, blue: 0, alpha: 0))
            drawn.draw(
                pixels, centeredIn: part, left: index % columns * (part.width + gap),
                top: index / columns * (part.height + gap))
            canvas = drawn
        }
        return canvas
    }
}

extension FolderSummary {
    /// The facts in short texts: `12 pictures`, `31 MiB`, `2 folders`, `newest 2026-07-14`; without pictures of its own
    /// only its folders.
    var texts: [String] {
        let date = newest.map { Date(timeIntervalSince1970: Double($0)).formatted(.iso8601.year().month().day()) }
        return [
            pictures == 0 && folders > 0 ? nil : "\(Units.count(pictures)) \(pictures == 1 ? "picture" : "pictures")",
            bytes.flatMap { $0 > 0 ? Units.bytes($0) : nil },
            folders > 0 ? "\(Units.count(folders)) \(folders == 1 ? "folder" : "folders")" : nil,
            date.map { "newest \($0)" },
        ].compactMap(\.self)
    }
}

extension EffectRunner {
    /// Posts the number of pictures of some folders.
    func count(_ folders: [ItemID]) async {
        for item in folders {
            guard !Task.isCancelled, let path = context.listLoader.folder(item) else { continue }
            let showsHidden = context.listLoader.showsHidden
            let summary = await FolderPicture.summary(of: path, first: 0, showsHidden: showsHidden)
            context.inbox.post(
                .folderRead(
                    item, pictures: summary?.pictures,
                    summary: summary.map { $0.pictures == 0 ? $0.texts : [] } ?? ["it cannot be read"]))
        }
    }
}
