import BrowserCore
import Raster
import Terminal
import TerminalGraphics

/// Holds the decoded pictures and has them encoded for the terminal, one at a time, the latest wish first.
@MainActor
final class PicturePresenter {
    /// Called when a picture that was wanted is ready to be shown.
    var onReady: () -> Void = {}
    var transition = Transition.fade

    private var pixels: [PictureID: PixelBuffer] = [:]
    private var palettes: [PictureID: Palette] = [:]
    private var encoded: [EncodingKey: EncodedPicture] = [:]
    private var capabilities: TerminalCapabilities?
    private var encoder = PictureEncoder(protocol: .blocks(.palette256))
    private var generation = 0
    private var lastID = 0
    private var wanted: EncodingKey?
    private var running: Task<Void, Never>?

    /// One way to draw one picture.
    private struct EncodingKey: Hashable {
        let picture: PictureID
        let step: Int
        let generation: Int
    }

    /// Takes what is known of the terminal; pictures are encoded anew when that is something else than before.
    func adopt(_ capabilities: TerminalCapabilities, implementation: PictureEncoder.SixelImplementation = .bands) {
        guard capabilities != self.capabilities else { return }
        self.capabilities = capabilities
        encoder = PictureEncoder(
            protocol: capabilities.graphicsProtocol, background: capabilities.background ?? .black,
            cell: capabilities.cell, implementation: implementation)
        generation += 1
        encoded = [:]
        palettes = [:]
    }

    /// Keeps a picture and names it; it is encoded at once, not first when a frame asks for it.
    func add(_ picture: PixelBuffer) -> PictureID {
        lastID += 1
        let id = PictureID(lastID)
        pixels[id] = picture
        want(EncodingKey(picture: id, step: PicturePlacement.finished, generation: generation))
        return id
    }

    func release(_ id: PictureID) {
        pixels[id] = nil
        palettes[id] = nil
        encoded = encoded.filter { $0.key.picture != id }
    }

    /// What can be drawn for a frame now; what cannot is begun, and `onReady` follows.
    ///
    /// Until a transition's next frame is ready the one before stays.
    func pictures(for placements: [PicturePlacement], isBusy: Bool) -> [TerminalPicture] {
        placements.compactMap { placement in
            let key = EncodingKey(picture: placement.picture, step: placement.transitionStep, generation: generation)
            if let ready = encoded[key] { return show(ready, key: key, at: placement.rect) }
            if !isBusy || placement.transitionStep == PicturePlacement.finished { want(key) }
            return newestFrame(upTo: key).map { show($0.value, key: $0.key, at: placement.rect) }
        }
    }

    /// A transition goes on while its next frame is made; what is ready by then is seldom the very step asked for.
    private func newestFrame(upTo key: EncodingKey) -> (key: EncodingKey, value: EncodedPicture)? {
        encoded.filter { $0.key.picture == key.picture && $0.key.step <= key.step }.max { $0.key.step < $1.key.step }
    }

    private func show(_ picture: EncodedPicture, key: EncodingKey, at rect: Rect) -> TerminalPicture {
        TerminalPicture(
            picture: key.picture, generation: key.generation &* 128 &+ key.step, rect: rect, pixels: picture.size,
            bytes: picture.bytes(atColumn: rect.column, row: rect.row))
    }

    private func want(_ key: EncodingKey) {
        wanted = key
        guard running == nil else { return }
        running = Task {
            while let next = takeWish() { await encode(next) }
            running = nil
        }
    }

    private func takeWish() -> EncodingKey? {
        defer { wanted = nil }
        return wanted
    }

    private func encode(_ key: EncodingKey) async {
        guard let picture = pixels[key.picture] else { return }
        let encoder = encoder
        let result: EncodedPicture
        if key.step >= PicturePlacement.finished {
            result = await encoder.encode(picture, quality: .best)
        } else {
            let palette = await sharedPalette(of: key.picture, picture, encoder)
            let progress = Double(key.step) / Double(PicturePlacement.finished)
            let frame = await Self.frame(transition, to: picture, progress: progress, over: encoder.background)
            result = await encoder.encode(frame, quality: .fast, palette: palette)
        }
        keep(result, for: key)
    }

    private func keep(_ result: EncodedPicture, for key: EncodingKey) {
        guard key.generation == generation, pixels[key.picture] != nil else { return }
        // A transition's frames are shown once; only the picture itself is worth keeping.
        encoded = encoded.filter { $0.key.picture != key.picture || $0.key.step == PicturePlacement.finished }
        encoded[key] = result
        onReady()
    }

    /// All frames of a transition use the colours of its two ends, so that nothing shimmers.
    private func sharedPalette(of id: PictureID, _ picture: PixelBuffer, _ encoder: PictureEncoder) async -> Palette? {
        if let known = palettes[id] { return known }
        let ground = PixelBuffer(size: PixelSize(width: 1, height: 1), filledWith: encoder.background)
        let palette = await encoder.palette(for: [picture, ground])
        palettes[id] = palette
        return palette
    }

    @concurrent
    private static func frame(
        _ transition: Transition, to picture: PixelBuffer, progress: Double, over background: Color
    ) async -> PixelBuffer {
        transition.frame(from: nil, to: picture, progress: progress, background: background)
    }
}

extension TerminalCapabilities {
    /// How our encoders can draw there; what they cannot speak is drawn with blocks.
    var graphicsProtocol: GraphicsProtocol {
        switch graphics.method {
        case .sixel: .sixel(SixelLimits(registers: colorRegisters, maximumSize: maximumSixelSize))
        case .kitty, .iterm, .blocks, .none: .blocks(blockColors)
        }
    }

    private var blockColors: ColorDepth {
        switch colorDepth {
        case .monochrome: .none
        case .ansi: .palette16
        case .indexed: .palette256
        case .truecolor: .truecolor
        }
    }
}
