import BrowserCore
import ImageLoading
import Raster
import Retrying
import Terminal
import TerminalGraphics

/// Holds the decoded pictures and encodes them for the terminal, one at a time.
///
///
/// Encoded pictures are cached, so that returning to a picture costs nothing. Of an animation, the newest frame that is
/// ready is shown; frames that would come too late are never encoded.
@MainActor
final class PicturePresenter {
    /// Called when a requested picture is ready to be shown.
    var onReady: () -> Void = {}
    /// Called when pictures are to be drawn differently, so that none is ready any more.
    var onAdoption: () -> Void = {}
    var transition = Transition.fade

    private let now: @Sendable () -> Duration
    private let frames: EncodedFrames
    private var held: [PictureID: HeldPicture] = [:]
    private var standing = StandingFrames()
    /// The picture that was last shown at rest, with which the next transition begins.
    private var lastWhole: PicturePlacement?
    private var outlet = PictureOutlet()
    private var pace = PlaybackPace(framesPerSecond: 30)
    private var lastSent = Duration.zero
    private var lastID = 0
    /// The requests of the latest frame, at most one for each picture.
    private var wanted: [FrameWish] = []
    private var running: Task<Void, Never>?

    /// - Parameter budget: The bytes for encoded still pictures; 64 MiB by default.
    init(budget: Int = 64 << 20, now: @escaping @Sendable () -> Duration = MonotonicTime.now) {
        frames = EncodedFrames(lasting: budget, passing: 32 << 20)
        self.now = now
    }

    /// The number of encoded pictures and frames, for measurements.
    var encodedCount: Int { frames.madeCount }

    /// Applies the terminal's capabilities; pictures are encoded again if they would be drawn differently.
    func adopt(
        _ capabilities: TerminalCapabilities, implementation: PictureEncoder.SixelImplementation = .bands,
        blockSet: BlockSet? = nil
    ) {
        let found = PictureOutlet(capabilities, implementation: implementation, blockSet: blockSet)
        guard found != outlet else { return }
        outlet = found
        standing.removeAll()
        onAdoption()
    }

    /// Stores a picture and returns its ID; encoding starts at once, not when a frame needs it.
    func add(_ picture: HeldPicture) -> PictureID {
        let id = name()
        held[id] = picture
        want(wish(id, picture, picture.firstLook))
        return id
    }

    /// Returns a new ID for a picture that ``replace(_:with:)`` sets.
    func name() -> PictureID {
        lastID += 1
        return PictureID(lastID)
    }

    /// The colour behind transparent pixels.
    var background: Color { outlet.encoder.background }

    /// Returns the pixels of a stored picture.
    func pixels(of id: PictureID) -> PixelBuffer? { held[id]?.pixels }

    /// The size limit in cells if the terminal keeps only a number of pictures (sixel); nil elsewhere.
    var largestPicture: GridSize? {
        guard case .sixel(let limits) = outlet.encoder.graphics else { return nil }
        let cell = outlet.encoder.cell
        return GridSize(
            columns: max(1, limits.maximumSize.width / cell.width),
            rows: max(1, limits.maximumSize.height / cell.height))
    }

    /// Replaces a picture under the same ID; the old one stays visible until the new one is encoded.
    func replace(_ id: PictureID, with picture: HeldPicture) { held[id] = picture }

    /// Returns whether a picture could be shown at once.
    func isReady(_ picture: HeldPicture) -> Bool { frames.picture(for: wish(nil, picture, picture.firstLook)) != nil }

    /// Encodes a picture that may be needed soon, with the priority of the calling task.
    func prepare(_ picture: HeldPicture) async {
        _ = await frames.make(wish(nil, picture, picture.firstLook))
    }

    func release(_ id: PictureID) {
        held[id] = nil
        standing.remove(id)
    }
}

// MARK: - Showing

extension PicturePresenter {
    /// Returns the pictures of a frame that are ready; others are encoded, and `onReady` follows.
    ///
    ///
    /// A frame of an animation stays until the next one is encoded and the terminal has processed it.
    ///
    ///
    /// - Parameter acknowledgementTime: How long the terminal took for the last picture.
    func pictures(
        for placements: [PicturePlacement], isBusy: Bool, acknowledgementTime: Duration? = nil
    ) -> [TerminalPicture] {
        if !isBusy { pace.acknowledged(at: lastSent + (acknowledgementTime ?? .zero)) }
        wanted = []
        return placements.compactMap { placement in
            guard let picture = held[placement.picture] else { return nil }
            let wish = wish(placement.picture, picture, look(of: picture, placement))
            if let known = frames.picture(for: wish) {
                standing.offer(known, for: wish)
            } else if wish.isStill ? !wish.isMoving || !isBusy : mayMove(isBusy) {
                want(wish)
            }
            return show(placement, isBusy: isBusy)
        }
    }

    private func show(_ placement: PicturePlacement, isBusy: Bool) -> TerminalPicture? {
        let id = placement.picture
        guard let (frame, isNew) = standing.frame(of: id, isBusy: isBusy) else { return predecessor(of: placement) }
        // A frame laid out before the terminal reported its cell size would be too large.
        guard placement.rect.holds(frame.picture.grid) else { return nil }
        if isNew, frame.isMoving {
            lastSent = now()
            pace.sent(at: lastSent)
        }
        if !frame.isStep, held[id]?.role == .picture { lastWhole = placement }
        return outlet.terminalPicture(
            frame.picture, id, generation: frame.generation, at: placement.rect,
            fills: frame.key.size != held[id]?.pixels.size)
    }

    /// Returns the old picture until the first step of a transition is ready.
    private func predecessor(of placement: PicturePlacement) -> TerminalPicture? {
        guard placement.transitionStep < PicturePlacement.finished, let old = lastWhole,
            old.picture != placement.picture, held[old.picture] != nil
        else { return nil }
        return show(old, isBusy: true)
    }

    private func look(of picture: HeldPicture, _ placement: PicturePlacement) -> FrameWish.Look {
        let step = placement.transitionStep
        if step < PicturePlacement.finished, outlet.hasTransitions, pace.isFluent {
            let old = lastWhole.flatMap { $0.picture == placement.picture ? nil : held[$0.picture]?.pixels }
            return .step(transition, from: old, step)
        }
        return picture.playback.map { .frame($0, $0.frame(at: placement.playTime)) } ?? .still
    }

    private func wish(_ id: PictureID?, _ picture: HeldPicture, _ look: FrameWish.Look) -> FrameWish {
        FrameWish(id, picture, look, reducedTo: pace.size(of: picture.pixels.size), encoder: outlet.encoder)
    }

    private func mayMove(_ isBusy: Bool) -> Bool {
        guard !isBusy, let earliest = pace.nextFrame else { return false }
        return earliest <= now()
    }
}

// MARK: - Encoding

extension PicturePresenter {
    private func want(_ wish: FrameWish) {
        wanted.removeAll { $0.picture == wish.picture }
        wanted.append(wish)
        guard running == nil else { return }
        running = Task {
            while let next = takeWish() { await fulfil(next) }
            running = nil
        }
    }

    private func takeWish() -> FrameWish? {
        wanted.isEmpty ? nil : wanted.removeFirst()
    }

    private func fulfil(_ wish: FrameWish) async {
        guard let id = wish.picture, held[id] != nil, !standing.isReady(wish), let made = await frames.make(wish) else {
            return
        }
        guard held[id] != nil, wish.encoder == outlet.encoder else { return }
        // A still picture is shown when a frame asks for it, not in the middle of its transition.
        if !wish.isStill { standing.offer(made, for: wish) }
        onReady()
    }
}

extension Rect {
    fileprivate func holds(_ grid: GridSize) -> Bool { grid.columns <= columns && grid.rows <= rows }
}
