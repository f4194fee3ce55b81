import AlcedoBrowserCore
import AlcedoScreen
import AlcedoTerminal
import Raster

/// Merges pictures that lie side by side into one: all of a row where text shows between them, else those without text
/// between them.
///
/// xterm keeps at most 16 sixel pictures and drops the oldest, and tmux keeps 9. A grid of thumbnails would lose some.
@MainActor
final class PictureStrips {
    /// Maximum number of pictures that are drawn one by one.
    static let singles = 6
    /// The number of the terminal's pictures that stay free when strips are split around text.
    ///
    /// Where more strips are needed, they cover the text between pictures.
    private static let spare = 2

    private let presenter: PicturePresenter
    private var strips: [Strip] = []
    private var names: Set<PictureID> = []

    private struct Strip {
        let picture: PictureID
        let rect: Rect
        let members: [PicturePlacement]
        let role: DecodedPicture.Role
        /// The strips shown in its place until it is encoded.
        var parts: [Strip] = []

        var shown: [Strip] { parts.isEmpty ? [self] : parts }
        var placement: PicturePlacement { PicturePlacement(rect: rect, picture: picture) }
    }

    init(presenter: PicturePresenter) { self.presenter = presenter }

    /// Returns the placements for the pictures of a frame, with strips in place of many pictures; pictures in the same
    /// rows go together.
    ///
    /// A strip wider than `largest` is drawn in several tiles, each of which counts as a picture for the terminal.
    ///
    /// - Parameter kept: The number of pictures that the terminal keeps.
    /// - Parameter showsText: Whether text shows where a picture leaves pixels out.
    func merge(
        _ frame: Frame, cell: CellSize, largest: GridSize, kept: Int, showsText: Bool = false
    ) -> [PicturePlacement] {
        guard frame.pictures.count > Self.singles else { return frame.pictures }
        let (groups, role): ([[PicturePlacement]], DecodedPicture.Role) =
            showsText
            ? (bands(frame.pictures), .lattice)
            : (groups(of: frame, largest, room: kept - Self.spare), .strip)
        strips = groups.compactMap { strip(of: $0, cell, role) }
        releaseOthers()
        let shown = strips.flatMap(\.shown)
        let count = shown.reduce(0) { $0 + Self.tiles(of: $1.rect.columns, largest) }
        return (count > kept ? strips : shown).map(\.placement)
    }

    /// Returns a picture that hides no text beside the pictures of the frame, if text shows there.
    ///
    /// A strip of an earlier frame is not drawn any more: its pixels would stay where later ones have holes.
    func uncovered(_ picture: TerminalPicture) -> TerminalPicture {
        for strip in strips where strip.role == .lattice {
            guard let shown = (strip.parts + [strip]).first(where: { $0.picture == picture.picture }) else { continue }
            var uncovered = picture
            uncovered.isOutdated = shown.picture != strip.picture
            uncovered.hidden = strip.members.map(\.rect).filter { rect in
                shown.members.contains { $0.rect.intersects(rect) }
            }
            return uncovered
        }
        return picture
    }

    /// Returns how many strips of this width the terminal keeps; at least 1.
    static func rows(of columns: Int, _ largest: GridSize, kept: Int) -> Int {
        max(1, kept / tiles(of: columns, largest))
    }

    /// Returns the number of tiles side by side in a strip of this width.
    private static func tiles(of columns: Int, _ largest: GridSize) -> Int {
        (max(1, columns) - 1) / largest.columns + 1
    }

    private func groups(of frame: Frame, _ largest: GridSize, room limit: Int) -> [[PicturePlacement]] {
        let bands = bands(frame.pictures)
        var room = limit - bands.compactMap(enclosing).reduce(0) { $0 + Self.tiles(of: $1.columns, largest) }
        return bands.flatMap { band in
            band.reduce(into: []) { groups, placement in
                guard let last = groups.last?.last else { return groups.append([placement]) }
                if room > 0, frame.hasText(between: last.rect, and: placement.rect) {
                    room -= 1
                    groups.append([placement])
                } else {
                    groups[groups.count - 1].append(placement)
                }
            }
        }
    }

    /// Groups pictures whose rows overlap, each group from left to right.
    private func bands(_ placements: [PicturePlacement]) -> [[PicturePlacement]] {
        var end = -1
        let bands: [[PicturePlacement]] = placements.sorted { $0.rect.row < $1.rect.row }
            .reduce(into: []) { bands, placement in
                if placement.rect.row >= end { bands.append([]) }
                bands[bands.count - 1].append(placement)
                end = max(end, placement.rect.row + placement.rect.rows)
            }
        return bands.map { $0.sorted { $0.rect.column < $1.rect.column } }
    }

    /// Returns the strip for some pictures.
    ///
    /// When strips merge, the old ones stay until the merged one is encoded. Otherwise the new strip reuses the old ID,
    /// so that the old picture stays visible until the new one is encoded.
    private func strip(
        of members: [PicturePlacement], _ cell: CellSize, _ role: DecodedPicture.Role
    ) -> Strip? {
        if let known = strips.first(where: { $0.members == members && $0.role == role }) { return known }
        guard let rect = enclosing(members) else { return nil }
        let shown = strips.flatMap(\.shown).filter { $0.role == role }
        var old = shown.first { $0.rect.column == rect.column && $0.rect.row == rect.row }
        var parts = shown.filter { part in
            role == .lattice ? part.rect.intersects(rect) : part.members.allSatisfy(members.contains)
        }
        if role == .lattice { old = nil } else if parts.map(\.picture) == [old?.picture] { parts = [] }
        let id = parts.isEmpty ? old?.picture ?? presenter.name() : presenter.name()
        let pixels = pixels(of: members, in: rect, cell, fillsCells: role == .lattice)
        let decoded = DecodedPicture(pixels, name: "\(role)", role: role)
        presenter.replace(id, with: decoded)
        names.insert(id)
        if !parts.isEmpty { prepare(decoded, id) }
        return Strip(picture: id, rect: rect, members: members, role: role, parts: parts)
    }

    private func prepare(_ picture: DecodedPicture, _ id: PictureID) {
        Task {
            await presenter.prepare(picture)
            guard let index = strips.firstIndex(where: { $0.picture == id }) else { return }
            strips[index].parts = []
            presenter.onReady()
        }
    }

    private func releaseOthers() {
        let used = Set(strips.flatMap { [$0.picture] + $0.parts.map(\.picture) })
        for name in names.subtracting(used) { presenter.release(name) }
        names = used
    }

    private func enclosing(_ members: [PicturePlacement]) -> Rect? {
        guard let column = members.map(\.rect.column).min(), let row = members.map(\.rect.row).min(),
            let right = members.map({ $0.rect.column + $0.rect.columns }).max(),
            let bottom = members.map({ $0.rect.row + $0.rect.rows }).max()
        else { return nil }
        return Rect(column: column, row: row, columns: right - column, rows: bottom - row)
    }

    /// - Parameter fillsCells: Whether the cells of a picture are opaque, also beside its pixels.
    private func pixels(
        of members: [PicturePlacement], in rect: Rect, _ cell: CellSize, fillsCells: Bool
    ) -> PixelBuffer {
        let size = cell.pixels(of: rect)
        var strip = PixelBuffer(size: size, filledWith: Color(red: 0, green: 0, blue: 0, alpha: 0))
        for member in members {
            guard let picture = presenter.pixels(of: member.picture) else { continue }
            let left = (member.rect.column - rect.column) * cell.width
            let top = (member.rect.row - rect.row) * cell.height
            if fillsCells {
                let ground = PixelBuffer(size: cell.pixels(of: member.rect), filledWith: presenter.background)
                strip.draw(ground, x: left, y: top)
            }
            strip.draw(picture, x: left, y: top)
        }
        return strip
    }
}

extension Frame {
    fileprivate func hasText(between left: Rect, and right: Rect) -> Bool {
        let columns = left.column + left.columns..<max(left.column + left.columns, right.column)
        let bottom = max(left.row + left.rows, right.row + right.rows)
        return (min(left.row, right.row)..<bottom).contains { row in
            columns.contains { self[$0, row] != .blank }
        }
    }
}
