import BrowserCore
import Raster
import TerminalGraphics

/// Fills the places that a frame leaves to placeholders and indicators.
@MainActor
final class StandInPainter {
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
        self.placeholder = placeholder
        self.indicator = indicator
        self.isASCII = isASCII
        self.presenter = presenter
    }

    /// Takes others; what is shown stays until they are ready.
    func use(placeholder: any Placeholder, indicator: any Indicator, isASCII: Bool) {
        (self.placeholder, self.indicator, self.isASCII) = (placeholder, indicator, isASCII)
    }

    /// Writes texts into their places, and has pictures placed there.
    func paint(_ frame: inout Frame, cell: CellSize) {
        for standIn in frame.standIns {
            switch look(of: standIn, cell) {
            case .nothing: break
            case .text(let lines): frame.write(lines, centeredIn: standIn.rect, isASCII: isASCII)
            case .picture(let pixels): place(pixels, standIn, cell, &frame)
            }
        }
    }

    private func look(of standIn: StandIn, _ cell: CellSize) -> PlaceholderContent {
        let grid = GridSize(columns: standIn.rect.columns, rows: standIn.rect.rows)
        switch standIn.role {
        case .placeholder(let name, let place):
            return placeholder.content(for: PlaceholderContext(name: name, place: place, grid: grid, cell: cell))
        case .indicator(let elapsed, let received, let total):
            return indicator.frame(
                IndicatorContext(
                    elapsed: .milliseconds(elapsed), received: received, total: total, grid: grid, cell: cell))
        }
    }

    private func place(_ pixels: PixelBuffer, _ standIn: StandIn, _ cell: CellSize, _ frame: inout Frame) {
        let size = pixels.size.scaled(to: cell.pixels(of: standIn.rect))
        guard !size.isEmpty else { return }
        let rect = standIn.rect.centered(cell.cells(covering: size))
        frame.pictures.append(PicturePlacement(rect: rect, picture: id(of: pixels, in: size, part(of: standIn))))
    }

    private func part(of standIn: StandIn) -> Part {
        if case .placeholder = standIn.role { .placeholder } else { .indicator }
    }

    /// One name for all that a part ever shows, so that the picture before stays until the next is encoded.
    private func id(of pixels: PixelBuffer, in size: PixelSize, _ part: Part) -> PictureID {
        if let known = shown[part], known.size == size, known.source == pixels { return known.picture }
        let picture = HeldPicture(pixels.boxScaled(to: size), name: "stand-in", role: .standIn)
        let id = shown[part]?.picture ?? presenter.add(picture)
        presenter.replace(id, with: picture)
        shown[part] = Shown(picture: id, source: pixels, size: size)
        return id
    }
}
