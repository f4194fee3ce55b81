import AlcedoBrowserCore
import AlcedoScreen
import Raster
import TerminalGraphics

/// Draws placeholders and indicators into the places that a frame reserves for them.
@MainActor
final class PlaceholderPainter {
    private enum Part: Hashable { case placeholder, indicator }

    private var placeholder: any Placeholder
    private var indicator: any Indicator
    private var isASCII: Bool
    private let presenter: PicturePresenter
    private var shown: [Part: Shown] = [:]

    private struct Shown {
        let picture: PictureID
        let source: PixelBuffer
        let size: PixelSize
    }

    init(placeholder: any Placeholder, indicator: any Indicator, isASCII: Bool, presenter: PicturePresenter) {
        (self.placeholder, self.indicator, self.isASCII) = (placeholder, indicator, isASCII)
        self.presenter = presenter
    }

    /// Replaces the placeholder and the indicator; the old ones stay visible until the new ones are ready.
    func use(placeholder: any Placeholder, indicator: any Indicator, isASCII: Bool) {
        (self.placeholder, self.indicator, self.isASCII) = (placeholder, indicator, isASCII)
    }

    /// Writes texts into the reserved places and adds placements for pictures.
    func paint(_ frame: inout Frame, cell: CellSize) {
        for area in frame.placeholders {
            switch content(of: area, cell) {
            case .nothing: break
            case .text(let lines): frame.write(lines, centeredIn: area.rect, isASCII: isASCII)
            case .picture(let pixels): place(pixels, area, cell, &frame)
            }
        }
    }

    private func content(of area: PlaceholderArea, _ cell: CellSize) -> PlaceholderContent {
        let grid = GridSize(columns: area.rect.columns, rows: area.rect.rows)
        switch area.role {
        case .placeholder(let name, let place):
            return placeholder.content(for: PlaceholderContext(name: name, place: place, grid: grid, cell: cell))
        case .indicator(let elapsed, let received, let total):
            return indicator.frame(
                IndicatorContext(
                    elapsed: .milliseconds(elapsed), received: received, total: total, grid: grid, cell: cell))
        }
    }

    private func place(_ pixels: PixelBuffer, _ area: PlaceholderArea, _ cell: CellSize, _ frame: inout Frame) {
        let size = pixels.size.scaled(to: cell.pixels(of: area.rect))
        guard !size.isEmpty else { return }
        let rect = area.rect.centered(cell.cells(covering: size))
        frame.pictures.append(PicturePlacement(rect: rect, picture: id(of: pixels, in: size, part(of: area))))
    }

    private func part(of area: PlaceholderArea) -> Part {
        if case .placeholder = area.role { .placeholder } else { .indicator }
    }

    /// Returns the ID of a part: it shows all its pictures under one ID, so that the old picture stays until the new
    /// one is encoded.
    private func id(of pixels: PixelBuffer, in size: PixelSize, _ part: Part) -> PictureID {
        if let known = shown[part], known.size == size, known.source == pixels { return known.picture }
        let picture = DecodedPicture(pixels.boxScaled(to: size), name: "placeholder", role: .placeholder)
        let id = shown[part]?.picture ?? presenter.add(picture)
        presenter.replace(id, with: picture)
        shown[part] = Shown(picture: id, source: pixels, size: size)
        return id
    }
}
