import BrowserCore
import ImageLoading
import Raster
import Retrying
import Terminal
import TerminalGraphics

/// Holds the decoded pictures and has them encoded for the terminal, one at a time, the latest wish first.
///
/// What was encoded is kept, so that going back to a picture costs nothing. Of what moves, the newest frame that is
/// ready is shown; frames that would come too late are never made.
@MainActor
final class PicturePresenter {
    /// Called when a picture that was wanted is ready to be shown.
    var onReady: () -> Void = {}
    /// Called when pictures are to be drawn in another way, so that none is ready any more.
    var onAdoption: () -> Void = {}
    var transition = Transition.fade

    private let now: @Sendable () -> Duration
    private let frames: EncodedFrames
    private var held: [PictureID: HeldPicture] = [:]
    private var standing = StandingFrames()
    /// What last stood alone, for a transition to begin with.
    private var lastWhole: PicturePlacement?
    private var outlet = PictureOutlet()
    private var pace = PlaybackRateController(framesPerSecond: 30)
    private var lastSent = Duration.zero
    private var lastID = 0
    /// What the latest frame lacks, each picture at most once.
    private var wanted: [FrameWish] = []
    private var running: Task<Void, Never>?

    /// `budget` is for the bytes of encoded pictures that people may come back to: 64 MiB by default.
    init(budget: Int = 64 << 20, now: @escaping @Sendable () -> Duration = MonotonicTime.now) {
        frames = EncodedFrames(lasting: budget, passing: 32 << 20)
        self.now = now
    }

    /// How many pictures and frames were encoded, for those who measure.
    var encodedCount: Int { frames.madeCount }

    /// Takes what is known of the terminal; pictures are encoded anew when they would be drawn in another way.
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

    /// Keeps a picture and names it; it is encoded at once, not first when a frame asks for it.
    func add(_ picture: HeldPicture) -> PictureID {
        let id = name()
        held[id] = picture
        want(wish(id, picture, picture.firstLook))
        return id
    }

    /// A name for pictures that `replace` gives.
    func name() -> PictureID {
        lastID += 1
        return PictureID(lastID)
    }

    /// The colour behind transparent pixels.
    var background: Color { outlet.encoder.background }

    /// What is held under a name.
    func pixels(of id: PictureID) -> PixelBuffer? { held[id]?.pixels }

    /// The largest picture in cells where the terminal keeps only some of many pictures (sixel); nil elsewhere.
    var largestPicture: GridSize? {
        guard case .sixel(let limits) = outlet.encoder.graphics else { return nil }
        let cell = outlet.encoder.cell
        return GridSize(
            columns: max(1, limits.maximumSize.width / cell.width),
            rows: max(1, limits.maximumSize.height / cell.height))
    }

    /// Shows another picture under the same name; the one before stays until it is ready.
    func replace(_ id: PictureID, with picture: HeldPicture) { held[id] = picture }

    /// Whether a picture could be shown at once.
    func isReady(_ picture: HeldPicture) -> Bool { frames.picture(for: wish(nil, picture, picture.firstLook)) != nil }

    /// Encodes a picture that may be wanted soon, with the urgency of the calling task.
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
    /// What can be drawn for a frame now; what cannot is begun, and `onReady` follows.
    ///
    /// `acknowledgementTime` is how long the last picture was on its way. Until a moving picture's next frame is ready
    /// and the terminal has taken the one before, that one stays.
    func pictures(
        for placements: [PicturePlacement], isBusy: Bool, acknowledgementTime: Duration? = nil
    ) -> [TerminalPicture] {
        if !isBusy { pace.didAcknowledge(at: lastSent + (acknowledgementTime ?? .zero)) }
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
        // Under a frame that was laid out before the terminal told the size of its cells it would stick out.
        guard placement.rect.holds(frame.picture.grid) else { return nil }
        if isNew, frame.isMoving {
            lastSent = now()
            pace.didSend(at: lastSent)
        }
        if !frame.isStep, held[id]?.role == .picture { lastWhole = placement }
        return outlet.terminalPicture(
            frame.picture, id, generation: frame.generation, at: placement.rect,
            fills: frame.key.size != held[id]?.pixels.size)
    }

    /// Until a transition's first step is ready, what it begins with stays.
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
        // A still is shown when a frame asks for it: not in the midst of its transition.
        if !wish.isStill { standing.offer(made, for: wish) }
        onReady()
    }
}

extension Rect {
    fileprivate func holds(_ grid: GridSize) -> Bool { grid.columns <= columns && grid.rows <= rows }
}
