import BrowserCore
import Raster

/// Makes one picture of those that stand beside each other.
///
/// xterm keeps no more than 16 sixel pictures and lets go of the oldest, so that a grid of thumbnails would lose some.
@MainActor
final class PictureStrips {
    /// So many pictures are drawn one by one.
    private static let singles = 6

    private let presenter: PicturePresenter
    private var strips: [Int: Strip] = [:]

    private struct Strip {
        let picture: PictureID
        var placements: [PicturePlacement]
    }

    init(presenter: PicturePresenter) { self.presenter = presenter }

    /// Puts strips in the place of many pictures; the rows in which they stand decide which go together.
    func merge(_ placements: [PicturePlacement], cell: CellSize) -> [PicturePlacement] {
        guard placements.count > Self.singles else { return placements }
        let lines = Dictionary(grouping: bands(placements)) { $0.band }
        return lines.keys.sorted().enumerated().compactMap { number, band in
            let members = (lines[band] ?? []).map(\.placement)
            return strip(number, of: members, cell)
        }
    }

    /// Pictures whose rows overlap are of one band, named by its first row.
    private func bands(_ placements: [PicturePlacement]) -> [(band: Int, placement: PicturePlacement)] {
        var (band, end) = (0, -1)
        return placements.sorted { $0.rect.row < $1.rect.row }.map { placement in
            if placement.rect.row >= end { band = placement.rect.row }
            end = max(end, placement.rect.row + placement.rect.rows)
            return (band, placement)
        }
    }

    private func strip(_ number: Int, of members: [PicturePlacement], _ cell: CellSize) -> PicturePlacement? {
        guard let rect = enclosing(members) else { return nil }
        let id = strips[number]?.picture ?? presenter.name()
        if strips[number]?.placements != members {
            presenter.replace(
                id, with: HeldPicture(pixels(of: members, in: rect, cell), name: "strip", isStandIn: true))
            strips[number] = Strip(picture: id, placements: members)
        }
        return PicturePlacement(rect: rect, picture: id)
    }

    private func enclosing(_ members: [PicturePlacement]) -> Rect? {
        guard let column = members.map(\.rect.column).min(), let row = members.map(\.rect.row).min(),
            let right = members.map({ $0.rect.column + $0.rect.columns }).max(),
            let bottom = members.map({ $0.rect.row + $0.rect.rows }).max()
        else { return nil }
        return Rect(column: column, row: row, columns: right - column, rows: bottom - row)
    }

    private func pixels(of members: [PicturePlacement], in rect: Rect, _ cell: CellSize) -> PixelBuffer {
        let size = cell.pixels(of: rect)
        var strip = PixelBuffer(size: size, filledWith: Color(red: 0, green: 0, blue: 0, alpha: 0))
        for member in members {
            guard let picture = presenter.pixels(of: member.picture) else { continue }
            let left = (member.rect.column - rect.column) * cell.width
            let top = (member.rect.row - rect.row) * cell.height
            strip.draw(picture, x: left, y: top)
        }
        return strip
    }
}

extension PixelBuffer {
    /// Copies a picture into this one, as far as it fits.
    fileprivate mutating func draw(_ picture: PixelBuffer, x: Int, y: Int) {
        let (columns, rows) = (min(picture.size.width, size.width - x), min(picture.size.height, size.height - y))
        guard columns > 0, rows > 0 else { return }
        let width = size.width
        withMutableBytes { bytes in
            picture.bytes.withUnsafeBytes { source in
                for row in 0..<rows {
                    let (from, to) = (row * picture.size.width * 4, ((y + row) * width + x) * 4)
                    for offset in 0..<columns * 4 { bytes[to + offset] = source[from + offset] }
                }
            }
        }
    }
}
