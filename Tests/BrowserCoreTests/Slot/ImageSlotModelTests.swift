import Raster
import Testing

@testable import BrowserCore

/// What the outside knows of a slot: the requests it began, how they ended, the pictures it was given.
private struct SlotModel {
    var slot: ImageSlot
    let keepsCurrent: Bool
    var now = 0
    var wanted: ItemID?
    var items: [RequestID: ItemID] = [:]
    var open: Set<RequestID> = []
    var completions: [RequestID: Int] = [:]
    /// Pictures handed in and not yet released, with their item.
    var held: [PictureID: ItemID] = [:]
    var faults: [String] = []
    private var pictures = 0

    init(keepsCurrent: Bool, forcesTransition: Bool) {
        self.keepsCurrent = keepsCurrent
        slot = ImageSlot(options: SlotOptions(forcesTransition: forcesTransition, keepsCurrent: keepsCurrent))
    }

    mutating func step(_ random: inout SeededRandom) {
        now += Int.random(in: 0...80, using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0...2: select(ItemID(Int.random(in: 0..<6, using: &random)), &random)
        case 3: select(nil, &random)
        case 4...7: deliver(anyRequest(&random), &random)
        case 8: perform(slot.fail(anyRequest(&random), FailureFacts(title: "503", detail: "", attempts: 2)))
        case 9: slot.progress(anyRequest(&random), received: Int.random(in: -5...5000, using: &random), total: 5000)
        case 10: perform(Bool.random(using: &random) ? slot.cancel() : slot.showAgain(reload: true, at: now))
        default: perform(slot.tick(now))
        }
        check()
    }

    private mutating func select(_ item: ItemID?, _ random: inout SeededRandom) {
        wanted = item
        let side = [0, 100, 200].randomElement(using: &random) ?? 0
        perform(slot.show(item, box: PixelSize(width: side, height: side), at: now))
    }

    private mutating func deliver(_ id: RequestID, _ random: inout SeededRandom) {
        pictures += 1
        held[PictureID(pictures)] = items[id] ?? ItemID(-1)
        let origin: PictureOrigin = Bool.random(using: &random) ? .network : .disk
        let facts = PictureFacts.sample(pictures, size: PixelSize(width: 9, height: 9), origin: origin)
        perform(slot.receive(id, facts, at: now))
    }

    /// Mostly a running request, sometimes an old or unknown one.
    private func anyRequest(_ random: inout SeededRandom) -> RequestID {
        if let running = open.first, Int.random(in: 0..<3, using: &random) > 0 { return running }
        return RequestID(Int.random(in: 0...(items.count + 2), using: &random))
    }

    private mutating func perform(_ actions: [SlotAction]) {
        for action in actions {
            switch action {
            case .load(let id, let item, let box, _):
                if item != wanted || box.isEmpty || items[id] != nil { faults.append("wrong load \(id)") }
                items[id] = item
                open.insert(id)
            case .cancel(let id): if !open.contains(id) { faults.append("cancelled \(id), which is not open") }
            case .release(let picture):
                if held.removeValue(forKey: picture) == nil { faults.append("released \(picture) twice") }
            case .completed(let id, _):
                completions[id, default: 0] += 1
                if open.remove(id) == nil { faults.append("completed \(id), which is not open") }
            }
        }
    }

    private mutating func check() {
        if open.count > 1 { faults.append("two requests are open") }
        if slot.isLoading == open.isEmpty { faults.append("isLoading") }
        if held.count > 2 { faults.append("leaked pictures") }
        guard case .picture(let facts, let step, _) = slot.content(at: now) else { return }
        if !(0...64).contains(step) { faults.append("step \(step)") }
        guard let item = held[facts.picture] else { return faults.append("shows a released picture") }
        if item != wanted, !keepsCurrent { faults.append("shows a stale picture") }
        if item != wanted, slot.picture != nil { faults.append("passes a stale picture for the wanted one") }
    }

    /// Lets everything end.
    mutating func finish() {
        now += 1000
        perform(slot.tick(now))
        perform(slot.show(nil, box: .zero, at: now))
        if !open.isEmpty { faults.append("never completed: \(open)") }
        if !held.isEmpty { faults.append("never released: \(held)") }
        if completions.count != items.count || completions.values.contains(where: { $0 != 1 }) {
            faults.append("not exactly one completion a request")
        }
    }
}

@Suite("The image slot against its model")
struct ImageSlotModelTests {
    @Test(
        "Whatever happens in 100,000 steps: one completion a request, no stale picture, no picture lost",
        arguments: [(false, false), (true, false), (false, true), (true, true)])
    func random(keepsCurrent: Bool, forcesTransition: Bool) {
        var random = SeededRandom(seed: 20_26)
        var model = SlotModel(keepsCurrent: keepsCurrent, forcesTransition: forcesTransition)
        for _ in 0..<100_000 where model.faults.isEmpty { model.step(&random) }
        model.finish()
        #expect(model.faults.isEmpty)
        #expect(model.items.count > 10_000)
    }
}
