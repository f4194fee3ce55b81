import AlcedoBrowserCore
import AlcedoScreen
import AlcedoTerminal
import ImageLoading
import Raster
import Retrying
import TerminalGraphics

/// Holds the decoded pictures and encodes them for the terminal, one at a time.
///
/// Encoded pictures are cached, so that returning to a picture costs nothing. Of an animation, the newest frame that is
/// ready is shown; frames that would come too late are never encoded.
@MainActor
final class PicturePresenter {
    /// Called when a requested picture is ready to be shown.
    var onReady: () -> Void = {}
    /// Called when pictures are to be drawn differently, so that none is ready any more.
    var onOutputChange: () -> Void = {}
    var transition = Transition.fade

    private let now: @Sendable () -> Duration
    private let cache: EncodedPictureCache
    private var decoded: [PictureID: DecodedPicture] = [:]
    private var displayed = DisplayedFrames()
    /// The picture that was last shown at rest, with which the next transition begins.
    private var lastWhole: PicturePlacement?
    private var output = TerminalPictureOutput()
    private var pace = PlaybackRateController(framesPerSecond: 30)
    private var lastSent = Duration.zero
    private var lastID = 0
    /// The requests of the latest frame, at most one for each picture.
    private var pending: [EncodeRequest] = []
    private var running: Task<Void, Never>?

    /// - Parameter budget: The bytes for encoded still pictures; 64 MiB by default.
    init(budget: Int = 64 << 20, now: @escaping @Sendable () -> Duration = RunClock.system.now) {
        cache = EncodedPictureCache(lasting: budget, transient: 32 << 20)
        self.now = now
    }

    /// The number of encoded pictures and frames, for measurements.
    var encodedCount: Int { cache.madeCount }

    /// Applies the terminal's capabilities; pictures are encoded again if they would be drawn differently.
    func adopt(_ capabilities: TerminalCapabilities) {
        let found = TerminalPictureOutput(capabilities)
        guard found != output else { return }
        output = found
        displayed.removeAll()
        onOutputChange()
    }

    /// Stores a picture and returns its ID; encoding starts at once, not when a frame needs it, but of a part.
    func add(_ picture: DecodedPicture) -> PictureID {
        let id = name()
        decoded[id] = picture
        if picture.role == .part { return id }
        let first = request(id, picture, picture.firstAppearance)
        if cache.picture(for: first) == nil { enqueue(first) }
        return id
    }

    /// Returns a new ID for a picture that ``replace(_:with:)`` sets.
    func name() -> PictureID {
        lastID += 1
        return PictureID(lastID)
    }

    /// The colour behind transparent pixels.
    var background: Color { output.encoder.background }

    /// Returns the pixels of a stored picture.
    func pixels(of id: PictureID) -> PixelBuffer? { decoded[id]?.pixels }

    /// The size limit in cells if the terminal keeps only a number of pictures (sixel); nil elsewhere.
    var largestPicture: GridSize? {
        guard case .sixel(let limits) = output.encoder.graphicsProtocol else { return nil }
        let cell = output.encoder.cell
        return GridSize(
            columns: max(1, limits.maximumSize.width / cell.width),
            rows: max(1, limits.maximumSize.height / cell.height))
    }

    /// Replaces a picture under the same ID; the old one stays visible until the new one is encoded.
    func replace(_ id: PictureID, with picture: DecodedPicture) { decoded[id] = picture }

    /// Returns whether a picture could be shown at once.
    func isReady(_ picture: DecodedPicture) -> Bool {
        cache.picture(for: request(nil, picture, picture.firstAppearance)) != nil
    }

    /// Encodes a picture that may be needed soon, with the priority of the calling task.
    func prepare(_ picture: DecodedPicture) async {
        _ = await cache.make(request(nil, picture, picture.firstAppearance))
    }

    /// Releases all pictures but one and the placeholders.
    func releaseAll(but kept: PictureID?) {
        for (id, picture) in decoded where id != kept && picture.role != .placeholder { release(id) }
        lastWhole = nil
    }

    func release(_ id: PictureID) {
        decoded[id] = nil
        displayed.remove(id)
    }
}

// MARK: - Showing

extension PicturePresenter {
    /// Returns the pictures of a frame that are ready; others are encoded, and `onReady` follows.
    ///
    /// A frame of an animation stays until the next one is encoded and the terminal has processed it.
    ///
    /// - Parameter acknowledgementTime: How long the terminal took for the last picture.
    func pictures(
        for placements: [PicturePlacement], isBusy: Bool, acknowledgementTime: Duration? = nil
    ) -> [TerminalPicture] {
        if !isBusy { pace.didAcknowledge(at: lastSent + (acknowledgementTime ?? .zero)) }
        pending = []
        return placements.compactMap { placement in
            guard let picture = decoded[placement.picture] else { return nil }
            let request = request(placement.picture, picture, appearance(of: picture, placement))
            if let known = cache.picture(for: request) {
                displayed.offer(known, for: request)
            } else if request.isStill ? !request.isMoving || !isBusy : mayMove(isBusy) {
                enqueue(request)
            }
            return show(placement, isBusy: isBusy)
        }
    }

    private func show(_ placement: PicturePlacement, isBusy: Bool) -> TerminalPicture? {
        let id = placement.picture
        guard let (frame, isNew) = displayed.frame(of: id, isBusy: isBusy) else { return predecessor(of: placement) }
        // A frame laid out before the terminal reported its cell size would be too large.
        guard placement.rect.holds(frame.picture.grid) else { return nil }
        if isNew, frame.isMoving {
            lastSent = now()
            pace.didSend(at: lastSent)
        }
        if !frame.isStep, decoded[id]?.role == .picture { lastWhole = placement }
        return output.terminalPicture(
            frame.picture, id, generation: frame.generation, at: placement.rect,
            fills: frame.key.size != decoded[id]?.pixels.size)
    }

    /// Returns the old picture until the first step of a transition is ready.
    private func predecessor(of placement: PicturePlacement) -> TerminalPicture? {
        guard placement.transitionStep < PicturePlacement.finished, let old = lastWhole,
            old.picture != placement.picture, decoded[old.picture] != nil
        else { return nil }
        return show(old, isBusy: true)
    }

    private func appearance(of picture: DecodedPicture, _ placement: PicturePlacement) -> EncodeRequest.Appearance {
        let step = placement.transitionStep
        if step < PicturePlacement.finished, output.hasTransitions, pace.isFluent {
            let old = lastWhole.flatMap { $0.picture == placement.picture ? nil : decoded[$0.picture]?.pixels }
            return .step(transition, from: old, step)
        }
        return picture.playback.map { .frame($0, $0.frame(at: placement.playTime)) } ?? .still
    }

    private func request(_ id: PictureID?, _ picture: DecodedPicture, _ appearance: EncodeRequest.Appearance)
        -> EncodeRequest
    {
        EncodeRequest(id, picture, appearance, reducedTo: pace.size(of: picture.pixels.size), encoder: output.encoder)
    }

    private func mayMove(_ isBusy: Bool) -> Bool {
        guard !isBusy, let earliest = pace.nextFrame else { return false }
        return earliest <= now()
    }
}

// MARK: - Encoding

extension PicturePresenter {
    private func enqueue(_ request: EncodeRequest) {
        pending.removeAll { $0.picture == request.picture }
        pending.append(request)
        guard running == nil else { return }
        running = Task {
            while let next = nextRequest() { await process(next) }
            running = nil
        }
    }

    private func nextRequest() -> EncodeRequest? {
        pending.isEmpty ? nil : pending.removeFirst()
    }

    private func process(_ request: EncodeRequest) async {
        guard let id = request.picture, decoded[id] != nil, !displayed.isReady(request),
            let made = await cache.make(request)
        else {
            return
        }
        guard decoded[id] != nil, request.encoder == output.encoder else { return }
        // A still picture is shown when a frame asks for it, not in the middle of its transition.
        if !request.isStill { displayed.offer(made, for: request) }
        onReady()
    }
}

extension Rect {
    fileprivate func holds(_ grid: GridSize) -> Bool { grid.columns <= columns && grid.rows <= rows }
}
