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
        /// The strips of the same items that are on the screen, and stay there until it is encoded.
        var parts: [Strip] = []
        /// Whether it takes the place of other items' pictures.
        var replacesOthers = false
        var isReady = false

        var shown: [Strip] { isReady ? [self] : parts }
        var placement: PicturePlacement { PicturePlacement(rect: rect, picture: picture) }

        /// Returns whether the two show the same item wherever both have a picture.
        func agrees(with members: [PicturePlacement]) -> Bool {
            self.members.allSatisfy { old in
                members.allSatisfy { $0.item == old.item || !$0.rect.intersects(old.rect) }
            }
        }
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
        guard frame.pictures.count > Self.singles else {
            strips.removeAll { !$0.isReady }
            return frame.pictures
        }
        let (groups, role): ([[PicturePlacement]], DecodedPicture.Role) =
            showsText
            ? (bands(frame.pictures), .lattice)
            : (groups(of: frame, largest, room: kept - Self.spare), .strip)
        strips = groups.compactMap { strip(of: $0, cell, role) }
        let parts = strips.flatMap(\.parts)
        let used = Set((strips + parts).map(\.picture))
        for name in names.subtracting(used) { presenter.release(name) }
        names = used
        let tiles = (strips.filter(\.parts.isEmpty) + parts).reduce(0) {
            $0 + Self.tiles(of: $1.rect.columns, largest)
        }
        if tiles > kept { for index in strips.indices { strips[index].parts = [] } }
        return strips.flatMap { $0.parts + [$0] }.map(\.placement)
    }

    /// Returns those of the ready pictures of a frame that are shown, and whether all that take the place of others are
    /// among them.
    ///
    /// A strip of an earlier frame is not drawn any more: its pixels would stay where later ones have holes.
    func shown(of pictures: [TerminalPicture]) -> (shown: [TerminalPicture], areReady: Bool) {
        var shown = pictures.filter { !names.contains($0.picture) }
        for index in strips.indices {
            if pictures.contains(where: { $0.picture == strips[index].picture }) {
                (strips[index].isReady, strips[index].parts) = (true, [])
            }
            let strip = strips[index]
            for part in strip.shown {
                guard var picture = pictures.first(where: { $0.picture == part.picture }) else { continue }
                (picture.isOutdated, picture.replacesOther) = (part.picture != strip.picture, strip.replacesOthers)
                if strip.role == .lattice {
                    picture.hidden = strip.members.map(\.rect).filter { rect in
                        part.members.contains { $0.rect.intersects(rect) }
                    }
                }
                shown.append(picture)
            }
        }
        return (shown, strips.allSatisfy { $0.isReady || !$0.replacesOthers })
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
    /// Strips of the same items stay until it is encoded; pictures of others do not stand over its names.
    private func strip(
        of members: [PicturePlacement], _ cell: CellSize, _ role: DecodedPicture.Role
    ) -> Strip? {
        if let known = strips.first(where: { $0.members == members && $0.role == role }) { return known }
        guard let rect = enclosing(members) else { return nil }
        let old = strips.flatMap(\.shown).filter { $0.role == role && $0.rect.intersects(rect) }
        let pixels = pixels(of: members, in: rect, cell, fillsCells: role == .lattice)
        let id = presenter.name()
        presenter.replace(id, with: DecodedPicture(pixels, name: "\(role)", role: role))
        let parts = old.filter { $0.agrees(with: members) }
        return Strip(
            picture: id, rect: rect, members: members, role: role, parts: parts, replacesOthers: parts.count < old.count
        )
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
