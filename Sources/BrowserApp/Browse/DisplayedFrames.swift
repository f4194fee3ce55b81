import BrowserCore
import TerminalGraphics

/// The frame shown of each picture, and the one that is ready to follow it.
struct DisplayedFrames {
    struct Frame {
        let key: EncodedFrameKey
        let picture: EncodedPicture
        /// Different for every new frame.
        let generation: Int
        let isMoving: Bool
        let isStep: Bool
    }

    private var ready: [PictureID: Frame] = [:]
    private var shown: [PictureID: Frame] = [:]
    private var lastGeneration = 0

    /// Stores an encoded frame; a transition step that arrives after the transition's end is dropped.
    mutating func offer(_ picture: EncodedPicture, for request: EncodeRequest) {
        guard let id = request.picture, ready[id]?.key != request.key else { return }
        if request.isStep, let known = ready[id], !known.isStep { return }
        lastGeneration += 1
        ready[id] = Frame(
            key: request.key, picture: picture, generation: lastGeneration, isMoving: request.isMoving,
            isStep: request.isStep)
    }

    /// Returns whether a request equals the last stored frame.
    func isReady(_ request: EncodeRequest) -> Bool { request.picture.flatMap { ready[$0]?.key } == request.key }

    /// Returns the frame to show; `isNew` is true if it was not shown before.
    ///
    /// While the terminal is busy with a frame of an animation, no other frame interrupts it.
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
