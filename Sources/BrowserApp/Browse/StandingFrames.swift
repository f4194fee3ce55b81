import BrowserCore
import TerminalGraphics

/// Which frame of each picture is shown, and which one is ready to follow it.
struct StandingFrames {
    struct Frame {
        let key: EncodedFrameKey
        let picture: EncodedPicture
        /// Different for every frame that is not the one before.
        let generation: Int
        let isMoving: Bool
        let isStep: Bool
    }

    private var ready: [PictureID: Frame] = [:]
    private var shown: [PictureID: Frame] = [:]
    private var lastGeneration = 0

    /// Takes the frame that was made for a wish; a step that comes after the transition's end is left out.
    mutating func offer(_ picture: EncodedPicture, for wish: FrameWish) {
        guard let id = wish.picture, ready[id]?.key != wish.key else { return }
        if wish.isStep, let known = ready[id], !known.isStep { return }
        lastGeneration += 1
        ready[id] = Frame(
            key: wish.key, picture: picture, generation: lastGeneration, isMoving: wish.isMoving, isStep: wish.isStep)
    }

    /// Whether a wish is what was offered last.
    func isReady(_ wish: FrameWish) -> Bool { wish.picture.flatMap { ready[$0]?.key } == wish.key }

    /// The frame to show; `isNew` tells that it was not shown before.
    ///
    /// While the terminal is busy with a frame that moves, no other one cuts it short.
    mutating func frame(of id: PictureID, isBusy: Bool) -> (frame: Frame, isNew: Bool)? {
        guard let next = ready[id] else { return nil }
        guard let current = shown[id], current.generation != next.generation else {
            let isNew = shown[id] == nil
            shown[id] = next
            return (next, isNew)
        }
        guard !isBusy || !current.isMoving || !next.isMoving else { return (current, false) }
        shown[id] = next
        return (next, true)
    }

    mutating func remove(_ id: PictureID) {
        ready[id] = nil
        shown[id] = nil
    }

    mutating func removeAll() {
        ready = [:]
        shown = [:]
    }
}
