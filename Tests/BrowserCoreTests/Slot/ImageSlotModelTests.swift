import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

/// A model of a slot: its requests, their outcomes, and the pictures that it holds.
private struct SlotModel {
    var slot: ImageSlot
    var now = 0
    var wanted: ItemID?
    var items: [RequestID: ItemID] = [:]
    var open: RequestID?
    /// Pictures that the slot received and has not released, with their item.
    var held: [PictureID: ItemID] = [:]
    var faults: [String] = []
    private var pictures = 0
    private var partials: Set<PictureID> = []
    /// The times when the requested item last changed and the running request began.
    private var wish = 0
    private var begin = 0
    private var isPaused = false
    /// The picture that was playing at the last check, and its play time.
    private var play: (picture: PictureID, time: Int)?
    /// The outcome of the latest request, until another item is requested.
    private var outcome: Outcome?

    private enum Outcome {
        case picture, failure, cancelled
    }

    init(_ options: SlotOptions) { slot = ImageSlot(options: options) }

    private var options: SlotOptions { slot.options }

    mutating func step(_ random: inout SeededRandom) {
        now += Int.random(in: 0...80, using: &random)
        switch Int.random(in: 0..<15, using: &random) {
        case 0...2: select(ItemID(Int.random(in: 0..<6, using: &random)), &random)
        case 3: select(nil, &random)
        case 4...6: deliver(anyRequest(&random), &random)
        case 7...8: deliverPartial(anyRequest(&random), &random)
        case 9: fail(anyRequest(&random))
        case 10: slot.progress(anyRequest(&random), received: Int.random(in: -5...5000, using: &random), total: 5000)
        case 11: perform(Bool.random(using: &random) ? slot.cancel() : slot.showAgain(reload: true, at: now))
        case 12: pause(Bool.random(using: &random))
        default: perform(slot.tick(now))
        }
        check()
    }

    private mutating func select(_ item: ItemID?, _ random: inout SeededRandom) {
        if item != wanted { (wanted, wish) = (item, now) }
        let side = [0, 100, 200].randomElement(using: &random) ?? 0
        perform(slot.show(item, box: PixelSize(width: side, height: side), at: now))
    }

    private mutating func picture(for id: RequestID, _ random: inout SeededRandom) -> ShownPicture {
        pictures += 1
        held[PictureID(pictures)] = items[id] ?? ItemID(-1)
        let origin: PictureOrigin = Bool.random(using: &random) ? .network : .disk
        var facts = ShownPicture.sample(pictures, size: PixelSize(width: 9, height: 9), origin: origin)
        facts.frameInterval = Bool.random(using: &random) ? 40 : nil
        return facts
    }

    private mutating func deliver(_ id: RequestID, _ random: inout SeededRandom) {
        let facts = picture(for: id, &random)
        complete(id, .picture)
        perform(slot.receive(id, facts, at: now))
    }

    private mutating func fail(_ id: RequestID) {
        complete(id, .failure)
        perform(slot.fail(id, FailureFacts(title: "503", detail: "", attempts: 2)))
    }

    /// Ends a request if it is the running one.
    private mutating func complete(_ id: RequestID, _ result: Outcome) {
        if id == open { (open, outcome) = (nil, result) }
    }

    private mutating func deliverPartial(_ id: RequestID, _ random: inout SeededRandom) {
        let facts = picture(for: id, &random)
        partials.insert(facts.picture)
        perform(slot.receivePartial(id, facts, at: now))
    }

    private mutating func pause(_ newValue: Bool) {
        isPaused = newValue
        slot.setPaused(newValue, at: now)
    }

    /// Returns usually the running request, sometimes an old or unknown one.
    private func anyRequest(_ random: inout SeededRandom) -> RequestID {
        if let running = open, Int.random(in: 0..<3, using: &random) > 0 { return running }
        return RequestID(Int.random(in: 0...(items.count + 2), using: &random))
    }

    private mutating func perform(_ effects: [BrowseEffect]) {
        for effect in effects {
            switch effect {
            case .load(let id, let item, let box, _, _):
                if item != wanted || box.isEmpty || items[id] != nil { faults.append("wrong load \(id)") }
                if open != nil { faults.append("two requests are open") }
                items[id] = item
                (open, begin, outcome) = (id, now, nil)
            case .cancelLoad(let id):
                if id != open { faults.append("cancelled \(id), which is not open") }
                complete(id, .cancelled)
            case .releasePicture(let picture):
                if held.removeValue(forKey: picture) == nil { faults.append("released \(picture) twice") }
            default: faults.append("asks for \(effect)")
            }
        }
    }

    private mutating func check() {
        if slot.isLoading != (open != nil) { faults.append("isLoading") }
        if held.count > 2 { faults.append("leaked pictures") }
        switch slot.content(at: now) {
        case .picture(let facts, let step, let indicator): checkPicture(facts, step, indicator)
        case .placeholder(let indicator): checkIndicator(indicator)
        case .failure: if outcome != .failure || options.failure != .card { faults.append("a failure card") }
        case .failurePicture: if outcome != .failure { faults.append("a failure picture") }
        case .cancelled: if outcome != .cancelled { faults.append("says cancelled") }
        case .empty: if wanted != nil, outcome != .failure { faults.append("shows nothing for an item") }
        }
    }

    private mutating func checkPicture(_ facts: ShownPicture, _ step: Int, _ indicator: SlotIndicator?) {
        checkIndicator(indicator)
        if !(0...64).contains(step) { faults.append("step \(step)") }
        guard let item = held[facts.picture] else { return faults.append("shows a released picture") }
        let isPartial = partials.contains(facts.picture)
        if isPartial, step != 64 { faults.append("a partial picture in a transition") }
        if isPartial, item == wanted, open == nil { faults.append("a partial picture after the end") }
        if isPartial || item != wanted, slot.picture != nil { faults.append("passes it for the wanted one") }
        let isHeld = now - wish < options.holdDuration
        if item != wanted, !options.keepsCurrent, !isHeld { faults.append("shows a stale picture") }
        checkPlay(facts)
    }

    private mutating func checkPlay(_ facts: ShownPicture) {
        let time = slot.playTime(at: now)
        defer { play = (facts.picture, time) }
        guard let play, play.picture == facts.picture else { return }
        if time < play.time { faults.append("plays backwards") }
        if isPaused, slot.playTime(at: now + 500) != time { faults.append("plays in a pause") }
    }

    private mutating func checkIndicator(_ indicator: SlotIndicator?) {
        let isDue = open != nil && now - begin >= options.indicatorDelay
        if (indicator != nil) != isDue { faults.append("the indicator is early or late") }
    }

    /// Finishes all requests and transitions.
    mutating func finish() {
        now += 1000
        perform(slot.tick(now))
        perform(slot.show(nil, box: .zero, at: now))
        if let open { faults.append("never completed: \(open)") }
        if !held.isEmpty { faults.append("never released: \(held)") }
    }
}

@Suite("The image slot against its model", .timeLimit(.minutes(1)))
struct ImageSlotModelTests {
    private static let everyOption: [SlotOptions] = [false, true].flatMap { keeps in
        [(0, SlotFailure.card), (16, .unset), (0, .nothing), (100, .picture(.sample(-1, size: .zero)))].map {
            SlotOptions(forcesTransition: $0 > 0, keepsCurrent: keeps, holdDuration: $0, failure: $1)
        }
    }

    @Test(
        arguments: everyOption)
    func `100,000 random steps: one request at a time, no stale picture, no leaked picture`(
        options: SlotOptions
    ) {
        var random = SeededRandom(seed: 20_26)
        var model = SlotModel(options)
        for _ in 0..<100_000 where model.faults.isEmpty { model.step(&random) }
        model.finish()
        #expect(model.faults.isEmpty)
        #expect(model.items.count > 10_000)
    }
}
