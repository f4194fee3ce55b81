import BrowserCore
import ImageLoading
import Raster
import Retrying
import Terminal
import TerminalGraphics

/// Holds the decoded pictures and has them encoded for the terminal, one at a time, the latest request first.
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
    private var displayed = DisplayedFrames()
    /// What last stood alone, for a transition to begin with.
    private var lastWhole: PicturePlacement?
    private var outlet = TerminalPictureOutput()
    private var pace = PlaybackPace(framesPerSecond: 30)
    private var lastSent = Duration.zero
    private var lastID = 0
    /// What the latest frame lacks, each picture at most once.
    private var wanted: [EncodeRequest] = []
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
        let found = TerminalPictureOutput(capabilities, implementation: implementation, blockSet: blockSet)
        guard found != outlet else { return }
        outlet = found
        displayed.removeAll()
        onAdoption()
    }

    /// Keeps a picture and names it; it is encoded at once, not first when a frame asks for it.
    func add(_ picture: HeldPicture) -> PictureID {
        let id = name()
        held[id] = picture
        want(request(id, picture, picture.firstAppearance))
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
    func isReady(_ picture: HeldPicture) -> Bool {
        frames.picture(for: request(nil, picture, picture.firstAppearance)) != nil
    }

    /// Encodes a picture that may be wanted soon, with the urgency of the calling task.
    func prepare(_ picture: HeldPicture) async {
        _ = await frames.make(request(nil, picture, picture.firstAppearance))
    }

    func release(_ id: PictureID) {
        held[id] = nil
        displayed.remove(id)
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
        if !isBusy { pace.acknowledged(at: lastSent + (acknowledgementTime ?? .zero)) }
        wanted = []
        return placements.compactMap { placement in
            guard let picture = held[placement.picture] else { return nil }
            let request = request(placement.picture, picture, appearance(of: picture, placement))
            if let known = frames.picture(for: request) {
                displayed.offer(known, for: request)
            } else if request.isStill ? !request.isMoving || !isBusy : mayMove(isBusy) {
                want(request)
            }
            return show(placement, isBusy: isBusy)
        }
    }

    private func show(_ placement: PicturePlacement, isBusy: Bool) -> TerminalPicture? {
        let id = placement.picture
        guard let (frame, isNew) = displayed.frame(of: id, isBusy: isBusy) else { return predecessor(of: placement) }
        // Under a frame that was laid out before the terminal told the size of its cells it would stick out.
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

    /// Until a transition's first step is ready, what it begins with stays.
    private func predecessor(of placement: PicturePlacement) -> TerminalPicture? {
        guard placement.transitionStep < PicturePlacement.finished, let old = lastWhole,
            old.picture != placement.picture, held[old.picture] != nil
        else { return nil }
        return show(old, isBusy: true)
    }

    private func appearance(of picture: HeldPicture, _ placement: PicturePlacement) -> EncodeRequest.Appearance {
        let step = placement.transitionStep
        if step < PicturePlacement.finished, outlet.hasTransitions, pace.isFluent {
            let old = lastWhole.flatMap { $0.picture == placement.picture ? nil : held[$0.picture]?.pixels }
            return .step(transition, from: old, step)
        }
        return picture.playback.map { .frame($0, $0.frame(at: placement.playTime)) } ?? .still
    }

    private func request(_ id: PictureID?, _ picture: HeldPicture, _ appearance: EncodeRequest.Appearance)
        -> EncodeRequest
    {
        EncodeRequest(id, picture, appearance, reducedTo: pace.size(of: picture.pixels.size), encoder: outlet.encoder)
    }

    private func mayMove(_ isBusy: Bool) -> Bool {
        guard !isBusy, let earliest = pace.nextFrame else { return false }
        return earliest <= now()
    }
}

// MARK: - Encoding

extension PicturePresenter {
    private func want(_ request: EncodeRequest) {
        wanted.removeAll { $0.picture == request.picture }
        wanted.append(request)
        guard running == nil else { return }
        running = Task {
            while let next = nextRequest() { await fulfil(next) }
            running = nil
        }
    }

    private func nextRequest() -> EncodeRequest? {
        wanted.isEmpty ? nil : wanted.removeFirst()
    }

    private func fulfil(_ request: EncodeRequest) async {
        guard let id = request.picture, held[id] != nil, !displayed.isReady(request),
            let made = await frames.make(request)
        else {
            return
        }
        guard held[id] != nil, request.encoder == outlet.encoder else { return }
        // A still is shown when a frame asks for it: not in the midst of its transition.
        if !request.isStill { displayed.offer(made, for: request) }
        onReady()
    }
}

extension Rect {
    fileprivate func holds(_ grid: GridSize) -> Bool { grid.columns <= columns && grid.rows <= rows }
}
