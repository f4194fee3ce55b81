import AlcedoScreen
import Raster

/// The area that shows one picture: a state machine over requests, results and time.
///
/// A result whose number is not that of the current request is stale and changes nothing. The placeholder comes first,
/// the indicator after a delay, then partial pictures, then the picture or the failure. Each request completes exactly
/// once. A received picture is either shown, fading out in a transition, or released.
struct ImageSlot: Sendable, Equatable {
    private struct Request: Sendable, Equatable {
        let id: RequestID
        let start: Int
        /// Whether it follows another one at once, as while a key is held.
        let isHurried: Bool
        var received = 0
        var total: Int?
    }

    private struct Shown: Sendable, Equatable {
        let item: ItemID
        let facts: ShownPicture
        var isPartial = false
        var transitionStart: Int?
        var play: PlayTime

        /// Returns the milliseconds until the next frame can begin, counted from the start of the animation.
        func frameTick(at now: Int) -> Int? {
            let played = play.elapsed(at: now)
            guard let interval = facts.frameInterval, interval > 0, played < facts.playLength ?? .max else {
                return nil
            }
            return interval - played % interval
        }
    }

    private enum Interruption: Sendable, Equatable {
        case failed(FailureFacts)
        case cancelled
    }

    var options: SlotOptions
    /// The item to show.
    private(set) var item: ItemID?
    private var box = PixelSize.zero
    /// The requested part of the picture; nil for all of it.
    private var region: PictureRegion?
    /// The two pictures to show in place of the item's; nil for the item's.
    private var comparison: PictureComparison?
    private var request: Request?
    private var shown: Shown?
    /// The time until which an unwanted picture stays, so that a quick successor replaces it without flicker.
    private var holdEnd: Int?
    /// The previous picture during a transition.
    private var outgoing: PictureID?
    private var interruption: Interruption?
    private var isPaused = false
    private var lastID = 0
    /// The time of the last request.
    private var lastStart: Int?

    /// Requests closer than this follow a held key; their pictures change at once.
    private static let hurry = 200

    init(options: SlotOptions = SlotOptions()) { self.options = options }

    var isLoading: Bool { request != nil }
    var isComparing: Bool { comparison != nil }
    var isInTransition: Bool { shown?.transitionStart != nil }
    var hasFailed: Bool { if case .failed = interruption { true } else { false } }
    /// The shown picture if it is complete and belongs to the current item.
    var picture: ShownPicture? { shown.flatMap { $0.item == item && !$0.isPartial ? $0.facts : nil } }

    /// Returns the milliseconds until time alone changes the content; nil if it does not.
    func tickInterval(at now: Int) -> Int? {
        let hold = holdEnd.map { max(1, $0 - now) }
        let frame = isPaused ? nil : shown.flatMap { $0.frameTick(at: now) }
        return [isInTransition ? 16 : nil, hold, frame, isLoading ? options.indicatorInterval : nil].compactMap(\.self)
            .min()
    }

    /// Requests an item's picture, or a part of it, for a box.
    ///
    /// Does nothing if nothing changed, nor for another box or part after a failure.
    mutating func show(
        _ wanted: ItemID?, comparing newComparison: PictureComparison? = nil, box newBox: PixelSize,
        region newRegion: PictureRegion? = nil, at now: Int
    ) -> [BrowseEffect] {
        let isSame = wanted == item && (comparison == nil) == (newComparison == nil)
        guard !isSame || newBox != box || newRegion != region || newComparison != comparison else { return [] }
        (item, comparison, box, region) = (wanted, newComparison, newBox, newRegion)
        if isSame, interruption != nil { return [] }
        return restart(reload: false, at: now)
    }

    /// Shows an earlier failure of an item without loading it.
    mutating func showFailure(_ facts: FailureFacts, of wanted: ItemID) -> [BrowseEffect] {
        let effects = cancelRequest() + finishTransition() + (options.failure == .unset ? [] : removePicture())
        (item, comparison, region, interruption) = (wanted, nil, nil, .failed(facts))
        return effects
    }

    /// Loads the same item again, bypassing every cache if `reload` is set.
    mutating func showAgain(reload: Bool, at now: Int) -> [BrowseEffect] {
        item == nil ? [] : restart(reload: reload, at: now)
    }

    /// Cancels the running request.
    mutating func cancel() -> [BrowseEffect] {
        guard request != nil else { return [] }
        interruption = .cancelled
        return cancelRequest() + finishTransition() + removePicture()
    }

    /// Replaces a failure that no longer applies: the item stays cancelled until it is requested again.
    mutating func clearFailure() { if hasFailed { interruption = .cancelled } }

    /// Updates the number of received bytes.
    mutating func progress(_ id: RequestID, received: Int, total: Int?) {
        guard request?.id == id else { return }
        request?.received = max(0, received)
        request?.total = total
    }

    /// Shows a partial picture until the next one or the complete one arrives.
    mutating func receivePartial(_ id: RequestID, _ facts: ShownPicture, at now: Int) -> [BrowseEffect] {
        guard request?.id == id, let item else { return discard(facts.picture) }
        let part = Shown(item: item, facts: facts, isPartial: true, play: PlayTime(isPaused ? nil : now))
        return finishTransition() + replace(with: part)
    }

    /// Shows a result; releases a stale one.
    mutating func receive(_ id: RequestID, _ facts: ShownPicture, at now: Int) -> [BrowseEffect] {
        guard let request, request.id == id, let item else { return discard(facts.picture) }
        self.request = nil
        let effects = finishTransition()
        let isNew = facts.origin == .network || options.forcesTransition && shown?.item != item
        let animates = options.transitionDuration > 0 && isNew && shown?.isPartial != true && !request.isHurried
        // An animation that already plays does not restart for another box.
        let play = shown.flatMap { $0.item == item ? $0.play : nil } ?? PlayTime(isPaused ? nil : now)
        let next = Shown(item: item, facts: facts, transitionStart: animates ? now : nil, play: play)
        guard animates, let old = shown?.facts.picture, old != facts.picture else {
            return effects + replace(with: next)
        }
        (shown, outgoing, holdEnd) = (next, old, nil)
        return effects
    }

    /// Shows a failure; ignores a stale one.
    mutating func fail(_ id: RequestID, _ facts: FailureFacts) -> [BrowseEffect] {
        guard request?.id == id else { return [] }
        (request, interruption) = (nil, .failed(facts))
        let stays = options.failure == .unset && holdEnd == nil && shown?.isPartial == false
        return finishTransition() + (stays ? [] : removePicture())
    }

    /// Advances the time: finishes a transition or a hold that is over.
    mutating func tick(_ now: Int) -> [BrowseEffect] {
        if let holdEnd, now >= holdEnd { return removePicture() }
        guard let start = shown?.transitionStart, now - start >= options.transitionDuration else { return [] }
        return finishTransition()
    }

    /// Pauses or resumes the animation.
    mutating func setPaused(_ newValue: Bool, at now: Int) {
        guard newValue != isPaused else { return }
        isPaused = newValue
        if isPaused { shown?.play.pause(at: now) } else { shown?.play.resume(at: now) }
    }

    /// Moves the animation by some milliseconds, to a frame beside the current one.
    mutating func play(by milliseconds: Int, at now: Int) { shown?.play.skip(milliseconds, at: now) }

    /// Returns how long the shown animation has been playing; 0 if there is none.
    func playTime(at now: Int) -> Int { shown?.play.elapsed(at: now) ?? 0 }
}

// MARK: - Content

extension ImageSlot {
    /// Returns the content to show now.
    func content(at now: Int) -> SlotContent {
        switch interruption {
        case .cancelled: .cancelled
        case .failed(let facts): failureContent(facts, at: now)
        case nil: shownContent(at: now)
        }
    }

    private func shownContent(at now: Int) -> SlotContent {
        if let shown, holdEnd.map({ now < $0 }) ?? true {
            return .picture(shown.facts, step: step(of: shown, at: now), indicator(at: now))
        }
        return item == nil ? .empty : .placeholder(indicator(at: now))
    }

    private func failureContent(_ facts: FailureFacts, at now: Int) -> SlotContent {
        switch options.failure {
        case .unset: shownContent(at: now)
        case .nothing: .empty
        case .card: .failure(facts)
        case .picture(let picture): .failurePicture(picture, facts)
        }
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
        return SlotIndicator(elapsed: now - request.start, received: request.received, total: request.total)
    }
}

// MARK: - Steps

extension ImageSlot {
    private mutating func restart(reload: Bool, at now: Int) -> [BrowseEffect] {
        var effects = cancelRequest() + finishTransition()
        interruption = nil
        // A partial picture does not outlive its request.
        if shown?.isPartial == true { effects += removePicture() }
        if item != nil, shown?.item == item || options.keepsCurrent {
            holdEnd = nil
        } else if item != nil, shown != nil, !box.isEmpty, options.holdDuration > 0 {
            holdEnd = holdEnd ?? now + options.holdDuration
        } else {
            effects += removePicture()
        }
        return effects + begin(reload: reload, at: now)
    }

    private mutating func begin(reload: Bool, at now: Int) -> [BrowseEffect] {
        guard let item, !box.isEmpty else { return [] }
        lastID += 1
        let id = RequestID(lastID)
        request = Request(id: id, start: now, isHurried: lastStart.map { now - $0 < Self.hurry } ?? false)
        lastStart = now
        if let comparison { return [.compare(id, comparison, box: box, region: region)] }
        return [.load(id, item, box: box, region: region, reload: reload)]
    }

    private mutating func cancelRequest() -> [BrowseEffect] {
        defer { request = nil }
        return request.map { [.cancelLoad($0.id)] } ?? []
    }

    private mutating func finishTransition() -> [BrowseEffect] {
        shown?.transitionStart = nil
        defer { outgoing = nil }
        return outgoing.map { [.releasePicture($0)] } ?? []
    }

    private mutating func removePicture() -> [BrowseEffect] {
        defer { (shown, holdEnd) = (nil, nil) }
        return shown.map { [.releasePicture($0.facts.picture)] } ?? []
    }

    private mutating func replace(with next: Shown) -> [BrowseEffect] {
        let effects = shown?.facts.picture == next.facts.picture ? [] : removePicture()
        (shown, holdEnd) = (next, nil)
        return effects
    }

    private func discard(_ picture: PictureID) -> [BrowseEffect] {
        picture == shown?.facts.picture || picture == outgoing ? [] : [.releasePicture(picture)]
    }
}

/// Elapsed play time without pauses.
private struct PlayTime: Sendable, Equatable {
    private var before = 0
    private var since: Int?

    /// Starts playing at a time, or paused if it is nil.
    init(_ start: Int?) { since = start }

    func elapsed(at now: Int) -> Int { before + (since.map { max(0, now - $0) } ?? 0) }

    mutating func skip(_ milliseconds: Int, at now: Int) {
        let wasPlaying = since != nil
        (before, since) = (max(0, elapsed(at: now) + milliseconds), wasPlaying ? now : nil)
    }

    mutating func pause(at now: Int) { (before, since) = (elapsed(at: now), nil) }

    mutating func resume(at now: Int) { since = since ?? now }
}

/// The content of the slot at a moment.
enum SlotContent: Equatable {
    case empty
    case placeholder(SlotIndicator?)
    /// A picture, its transition step, and the indicator of a request that will replace it.
    case picture(ShownPicture, step: Int, SlotIndicator?)
    case failure(FailureFacts)
    /// A picture shown in case of failure; the caller owns it, so that it is never released.
    case failurePicture(ShownPicture, FailureFacts)
    /// The user cancelled the request.
    case cancelled
}

/// The progress of a running request.
struct SlotIndicator: Equatable {
    /// Milliseconds since the request began.
    let elapsed: Int
    let received: Int
    let total: Int?
}

/// The options of an image slot; times in milliseconds.
package struct SlotOptions: Sendable, Equatable {
    /// The delay before a running request shows an indicator.
    package var indicatorDelay = 100
    /// The interval at which the indicator is updated.
    package var indicatorInterval = 100
    /// The duration of transitions; 0 disables them.
    package var transitionDuration = 200
    /// Whether pictures from a cache also get a transition.
    package var forcesTransition = false
    /// Whether the old picture stays until the new one is ready.
    package var keepsCurrent = false
    /// How long an unwanted picture stays while its successor is loading; 0 disables this.
    ///
    /// A successor that comes from a cache within this time replaces it without a placeholder in between.
    package var holdDuration = 0
    /// The content after a failure.
    package var failure = SlotFailure.card
}

/// The content of the slot after a failure.
package enum SlotFailure: Sendable, Equatable {
    /// The earlier content: the placeholder, or the kept picture.
    case unset
    case nothing
    /// A card with the reason.
    case card
    case picture(ShownPicture)
}
