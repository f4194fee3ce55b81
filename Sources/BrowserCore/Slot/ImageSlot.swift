import Raster

/// The place where one picture is shown: a state machine over requests, results and time.
///
/// A request is known by its number; a result with another number is stale and changes nothing. The placeholder comes
/// first, the indicator after a delay, then the picture or the failure. Each request completes exactly once. A picture
/// handed in is either shown, or fading out under a transition, or released.
struct ImageSlot: Sendable, Equatable {
    private struct Request: Sendable, Equatable {
        let id: RequestID
        let start: Int
        var received = 0
        var total: Int?
    }

    private struct Shown: Sendable, Equatable {
        let item: ItemID
        let facts: PictureFacts
        var transitionStart: Int?
    }

    private enum Ending: Sendable, Equatable {
        case failed(FailureFacts)
        case cancelled
    }

    let options: SlotOptions
    /// The item the slot is for.
    private(set) var item: ItemID?
    private var box = PixelSize.zero
    private var request: Request?
    private var shown: Shown?
    /// Under a transition: the picture that stood here before.
    private var outgoing: PictureID?
    private var ending: Ending?
    private var lastID = 0

    init(options: SlotOptions = SlotOptions()) { self.options = options }

    var isLoading: Bool { request != nil }
    var isInTransition: Bool { shown?.transitionStart != nil }
    var hasFailed: Bool { if case .failed = ending { true } else { false } }
    /// The picture on show, when it is the wanted item's.
    var picture: PictureFacts? { shown?.item == item ? shown?.facts : nil }

    /// Wants an item's picture for a box; the same wish again does nothing, nor does a new box after a failure.
    mutating func show(_ wanted: ItemID?, box newBox: PixelSize, at now: Int) -> [SlotAction] {
        let isSame = wanted == item
        guard !isSame || newBox != box else { return [] }
        item = wanted
        box = newBox
        if isSame, ending != nil { return [] }
        return restart(reload: false, at: now)
    }

    /// Loads the same item once more, past every cache when `reload` is set.
    mutating func showAgain(reload: Bool, at now: Int) -> [SlotAction] {
        item == nil ? [] : restart(reload: reload, at: now)
    }

    /// Gives up on the running request.
    mutating func cancel() -> [SlotAction] {
        guard request != nil else { return [] }
        ending = .cancelled
        return endRequest(.cancelled) + endTransition() + removePicture()
    }

    /// Takes word of bytes received.
    mutating func progress(_ id: RequestID, received: Int, total: Int?) {
        guard request?.id == id else { return }
        request?.received = max(0, received)
        request?.total = total
    }

    /// Takes a result; a stale one is released at once.
    mutating func receive(_ id: RequestID, _ facts: PictureFacts, at now: Int) -> [SlotAction] {
        guard request?.id == id, let item else { return discard(facts.picture) }
        var actions = endRequest(.picture) + endTransition()
        let old = shown?.facts.picture
        let animates = options.transitionDuration > 0 && (facts.origin == .network || options.forcesTransition)
        shown = Shown(item: item, facts: facts, transitionStart: animates ? now : nil)
        guard let old, old != facts.picture else { return actions }
        if animates { outgoing = old } else { actions.append(.release(old)) }
        return actions
    }

    /// Takes a failure; a stale one changes nothing.
    mutating func fail(_ id: RequestID, _ facts: FailureFacts) -> [SlotAction] {
        guard request?.id == id else { return [] }
        ending = .failed(facts)
        return endRequest(.failure) + endTransition() + removePicture()
    }

    /// Lets time pass: a transition that is over lets go of the old picture.
    mutating func tick(_ now: Int) -> [SlotAction] {
        guard let start = shown?.transitionStart, now - start >= options.transitionDuration else { return [] }
        return endTransition()
    }

    /// What to show now.
    func content(at now: Int) -> SlotContent {
        switch ending {
        case .failed(let facts): return .failure(facts)
        case .cancelled: return .cancelled
        case nil: break
        }
        if let shown { return .picture(shown.facts, step: step(of: shown, at: now), indicator(at: now)) }
        return item == nil ? .empty : .placeholder(indicator(at: now))
    }

    private func step(of shown: Shown, at now: Int) -> Int {
        guard let start = shown.transitionStart, options.transitionDuration > 0 else {
            return PicturePlacement.finished
        }
        let elapsed = min(max(0, now - start), options.transitionDuration)
        return Int(Double(PicturePlacement.finished) * Double(elapsed) / Double(options.transitionDuration))
    }

    private func indicator(at now: Int) -> SlotIndicator? {
        guard let request, now - request.start >= options.indicatorDelay else { return nil }
        let elapsed = now - request.start
        let rate = elapsed >= 500 ? min(Double(request.received) / Double(elapsed) * 1000, 1e15) : nil
        return SlotIndicator(received: request.received, total: request.total, rate: rate.map { Int($0) })
    }

    private mutating func restart(reload: Bool, at now: Int) -> [SlotAction] {
        var actions = endRequest(.cancelled) + endTransition()
        ending = nil
        let keepsPicture = item != nil && (options.keepsCurrent || shown?.item == item)
        if !keepsPicture { actions += removePicture() }
        return actions + begin(reload: reload, at: now)
    }

    private mutating func begin(reload: Bool, at now: Int) -> [SlotAction] {
        guard let item, !box.isEmpty else { return [] }
        lastID += 1
        let id = RequestID(lastID)
        request = Request(id: id, start: now)
        return [.load(id, item, box: box, reload: reload)]
    }

    private mutating func endRequest(_ outcome: SlotOutcome) -> [SlotAction] {
        guard let id = request?.id else { return [] }
        request = nil
        return (outcome == .cancelled ? [.cancel(id)] : []) + [.completed(id, outcome)]
    }

    private mutating func endTransition() -> [SlotAction] {
        shown?.transitionStart = nil
        defer { outgoing = nil }
        return outgoing.map { [.release($0)] } ?? []
    }

    private mutating func removePicture() -> [SlotAction] {
        defer { shown = nil }
        return shown.map { [.release($0.facts.picture)] } ?? []
    }

    private func discard(_ picture: PictureID) -> [SlotAction] {
        picture == shown?.facts.picture || picture == outgoing ? [] : [.release(picture)]
    }
}
