import Raster
import Testing

@testable import BrowserCore

@Suite("The image slot")
struct ImageSlotTests {
    private let box = PixelSize(width: 100, height: 100)
    private let failure = FailureFacts(title: "404", detail: "not there", attempts: 1)

    private func slot(_ options: SlotOptions = SlotOptions(), showing item: Int = 1) -> ImageSlot {
        var slot = ImageSlot(options: options)
        _ = slot.show(ItemID(item), box: box, at: 0)
        return slot
    }

    private func facts(_ number: Int, _ origin: PictureOrigin = .memory) -> PictureFacts {
        .sample(number, size: box, origin: origin)
    }

    @Test("A wish begins one request; the same wish again begins none")
    func begin() {
        var slot = ImageSlot()
        let expected = SlotAction.load(RequestID(1), ItemID(1), box: box, reload: false)
        #expect(slot.show(ItemID(1), box: box, at: 0) == [expected])
        #expect(slot.show(ItemID(1), box: box, at: 5).isEmpty)
    }

    @Test("Another item cancels the request before, which completes thereby")
    func supersede() {
        var slot = slot()
        let actions = slot.show(ItemID(2), box: box, at: 10)
        let load = SlotAction.load(RequestID(2), ItemID(2), box: box, reload: false)
        #expect(actions == [.cancel(RequestID(1)), .completed(RequestID(1), .cancelled), load])
    }

    @Test("A stale picture is released and not shown; a stale failure changes nothing")
    func stale() {
        var slot = slot()
        _ = slot.show(ItemID(2), box: box, at: 10)
        #expect(slot.receive(RequestID(1), facts(9), at: 20) == [.release(PictureID(9))])
        #expect(slot.fail(RequestID(1), failure).isEmpty)
        #expect(slot.content(at: 20) == .placeholder(nil))
    }

    @Test("The indicator comes after 100 ms, not before, and counts the bytes")
    func indicator() {
        var slot = slot()
        slot.progress(RequestID(1), received: 400, total: 1000)
        #expect(slot.content(at: 99) == .placeholder(nil))
        #expect(slot.content(at: 100) == .placeholder(SlotIndicator(received: 400, total: 1000, rate: nil)))
        #expect(slot.content(at: 500) == .placeholder(SlotIndicator(received: 400, total: 1000, rate: 800)))
    }

    @Test(
        "A picture from a cache is there at once, without a transition",
        arguments: [PictureOrigin.memory, .disk, .file])
    func cached(origin: PictureOrigin) {
        var slot = slot()
        #expect(slot.receive(RequestID(1), facts(7, origin), at: 10) == [.completed(RequestID(1), .picture)])
        #expect(slot.content(at: 10) == .picture(facts(7, origin), step: 64, nil))
    }

    @Test("A picture from the network comes in over 200 ms")
    func transition() {
        var slot = slot()
        _ = slot.receive(RequestID(1), facts(7, .network), at: 1000)
        let steps = [1000, 1100, 1200, 9000].map { time -> Int? in
            if case .picture(_, let step, _) = slot.content(at: time) { step } else { nil }
        }
        #expect(steps == [0, 32, 64, 64])
        #expect(slot.isInTransition)
        _ = slot.tick(1200)
        #expect(!slot.isInTransition)
    }

    @Test("A forced transition runs for a cached picture; a duration of zero runs none")
    func forced() {
        var forced = slot(SlotOptions(forcesTransition: true))
        _ = forced.receive(RequestID(1), facts(7), at: 0)
        #expect(forced.isInTransition)
        var none = slot(SlotOptions(transitionDuration: 0, forcesTransition: true))
        _ = none.receive(RequestID(1), facts(7, .network), at: 0)
        #expect(none.content(at: 0) == .picture(facts(7, .network), step: 64, nil))
    }

    @Test("The picture before stays with the runtime until the transition is over")
    func outgoing() {
        var slot = slot(SlotOptions(keepsCurrent: true))
        _ = slot.receive(RequestID(1), facts(7, .network), at: 0)
        _ = slot.show(ItemID(2), box: box, at: 300)
        #expect(slot.receive(RequestID(2), facts(8, .network), at: 400) == [.completed(RequestID(2), .picture)])
        #expect(slot.tick(599).isEmpty)
        #expect(slot.tick(600) == [.release(PictureID(7))])
    }

    @Test("A new selection cuts the transition")
    func cut() {
        var slot = slot()
        _ = slot.receive(RequestID(1), facts(7, .network), at: 0)
        let actions = slot.show(ItemID(2), box: box, at: 50)
        #expect(actions.first == .release(PictureID(7)))
        #expect(!slot.isInTransition)
    }

    @Test("keepCurrent leaves the old picture until the new one is there")
    func keepCurrent() {
        var slot = slot(SlotOptions(keepsCurrent: true))
        _ = slot.receive(RequestID(1), facts(7), at: 0)
        _ = slot.show(ItemID(2), box: box, at: 10)
        #expect(slot.content(at: 20) == .picture(facts(7), step: 64, nil))
        #expect(slot.picture == nil)
        #expect(slot.receive(RequestID(2), facts(8), at: 30).contains(.release(PictureID(7))))
    }

    @Test("A new box asks again and keeps the picture until then")
    func resize() {
        var slot = slot()
        _ = slot.receive(RequestID(1), facts(7), at: 0)
        let larger = PixelSize(width: 200, height: 200)
        let load = SlotAction.load(RequestID(2), ItemID(1), box: larger, reload: false)
        #expect(slot.show(ItemID(1), box: larger, at: 10) == [load])
        #expect(slot.content(at: 10) == .picture(facts(7), step: 64, nil))
    }

    @Test("A failure shows its card; a new box does not try again, reload does")
    func failed() {
        var slot = slot()
        #expect(slot.fail(RequestID(1), failure) == [.completed(RequestID(1), .failure)])
        #expect(slot.content(at: 0) == .failure(failure))
        #expect(slot.show(ItemID(1), box: PixelSize(width: 5, height: 5), at: 1).isEmpty)
        let load = SlotAction.load(
            RequestID(2), ItemID(1), box: PixelSize(width: 5, height: 5), reload: true)
        #expect(slot.showAgain(reload: true, at: 2) == [load])
        #expect(slot.content(at: 2) == .placeholder(nil))
    }

    @Test("The user's cancel ends the request and says so")
    func cancel() {
        var slot = slot()
        #expect(slot.cancel() == [.cancel(RequestID(1)), .completed(RequestID(1), .cancelled)])
        #expect(slot.content(at: 500) == .cancelled)
        #expect(slot.cancel().isEmpty)
    }

    @Test("Nothing is asked for an empty box or no item")
    func empty() {
        var slot = ImageSlot()
        #expect(slot.show(ItemID(1), box: .zero, at: 0).isEmpty)
        #expect(slot.show(nil, box: box, at: 0).isEmpty)
        #expect(slot.showAgain(reload: true, at: 0).isEmpty)
        #expect(slot.content(at: 0) == .empty)
    }
}
