import BrowserCore
import TerminalGraphics

/// Which frame of each picture is shown, and which one is ready to follow it.
struct DisplayedFrames {
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

    /// Takes the frame that was made for a request; a step that comes after the transition's end is left out.
    mutating func offer(_ picture: EncodedPicture, for request: EncodeRequest) {
        guard let id = request.picture, ready[id]?.key != request.key else { return }
        if request.isStep, let known = ready[id], !known.isStep { return }
        lastGeneration += 1
        ready[id] = Frame(
            key: request.key, picture: picture, generation: lastGeneration, isMoving: request.isMoving,
            isStep: request.isStep)
    }

    /// Whether a request is what was offered last.
    func isReady(_ request: EncodeRequest) -> Bool { request.picture.flatMap { ready[$0]?.key } == request.key }

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
