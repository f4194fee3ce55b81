import AlcedoScreen
import Raster
import Testing

@testable import AlcedoBrowserCore

@Suite(.timeLimit(.minutes(1)))
struct ImageSlotTests {
    private let box = PixelSize(width: 100, height: 100)
    private let failure = FailureFacts(title: "404", detail: "not there", attempts: 1)

    private func slot(_ options: SlotOptions = SlotOptions(), showing item: Int = 1) -> ImageSlot {
        var slot = ImageSlot(options: options)
        _ = slot.show(ItemID(item), box: box, at: 0)
        return slot
    }

    private func facts(_ number: Int, _ origin: PictureOrigin = .memory) -> ShownPicture {
        .sample(number, size: box, origin: origin)
    }

    @Test
    func `showing an item starts one request; showing it again starts none`() {
        var slot = ImageSlot()
        let expected = BrowseEffect.load(RequestID(1), ItemID(1), box: box, region: nil, reload: false)
        #expect(slot.show(ItemID(1), box: box, at: 0) == [expected])
        #expect(slot.show(ItemID(1), box: box, at: 5).isEmpty)
    }

    @Test
    func `showing another item cancels the previous request`() {
        var slot = slot()
        let effects = slot.show(ItemID(2), box: box, at: 10)
        let load = BrowseEffect.load(RequestID(2), ItemID(2), box: box, region: nil, reload: false)
        #expect(effects == [.cancelLoad(RequestID(1)), load])
    }

    @Test
    func `a stale picture is released, a stale failure is ignored`() {
        var slot = slot()
        _ = slot.show(ItemID(2), box: box, at: 10)
        #expect(slot.receive(RequestID(1), facts(9), at: 20) == [.releasePicture(PictureID(9))])
        #expect(slot.fail(RequestID(1), failure).isEmpty)
        #expect(slot.content(at: 20) == .placeholder(nil))
    }

    @Test
    func `the indicator appears after 100 ms and shows the bytes`() {
        var slot = slot()
        slot.progress(RequestID(1), received: 400, total: 1000)
        #expect(slot.content(at: 99) == .placeholder(nil))
        #expect(
            slot.content(at: 100) == .placeholder(SlotIndicator(elapsed: 100, received: 400, total: 1000)))
        #expect(
            slot.content(at: 500) == .placeholder(SlotIndicator(elapsed: 500, received: 400, total: 1000)))
    }

    @Test(
        arguments: [PictureOrigin.memory, .disk, .file])
    func `a cached picture is shown at once, without a transition`(origin: PictureOrigin) {
        var slot = slot()
        #expect(slot.receive(RequestID(1), facts(7, origin), at: 10).isEmpty)
        #expect(slot.content(at: 10) == .picture(facts(7, origin), step: 64, nil))
    }

    @Test
    func `a downloaded picture appears with a transition of 200 ms`() {
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

    @Test
    func `a forced transition runs for a cached picture; a duration of zero disables it`() {
        var forced = slot(SlotOptions(forcesTransition: true))
        _ = forced.receive(RequestID(1), facts(7), at: 0)
        #expect(forced.isInTransition)
        var none = slot(SlotOptions(transitionDuration: 0, forcesTransition: true))
        _ = none.receive(RequestID(1), facts(7, .network), at: 0)
        #expect(none.content(at: 0) == .picture(facts(7, .network), step: 64, nil))
    }

    @Test
    func `the old picture is released when the transition is over`() {
        var slot = slot(SlotOptions(keepsCurrent: true))
        _ = slot.receive(RequestID(1), facts(7, .network), at: 0)
        _ = slot.show(ItemID(2), box: box, at: 300)
        #expect(slot.receive(RequestID(2), facts(8, .network), at: 400).isEmpty)
        #expect(slot.tick(599).isEmpty)
        #expect(slot.tick(600) == [.releasePicture(PictureID(7))])
    }

    @Test
    func `a new selection ends the transition`() {
        var slot = slot()
        _ = slot.receive(RequestID(1), facts(7, .network), at: 0)
        let effects = slot.show(ItemID(2), box: box, at: 50)
        #expect(effects.first == .releasePicture(PictureID(7)))
        #expect(!slot.isInTransition)
    }

    @Test
    func `keepCurrent shows the old picture until the new one arrives`() {
        var slot = slot(SlotOptions(keepsCurrent: true))
        _ = slot.receive(RequestID(1), facts(7), at: 0)
        _ = slot.show(ItemID(2), box: box, at: 10)
        #expect(slot.content(at: 20) == .picture(facts(7), step: 64, nil))
        #expect(slot.picture == nil)
        #expect(slot.receive(RequestID(2), facts(8), at: 30).contains(.releasePicture(PictureID(7))))
    }

    @Test
    func `a new box requests the picture again and keeps the old one until then`() {
        var slot = slot()
        _ = slot.receive(RequestID(1), facts(7), at: 0)
        let larger = PixelSize(width: 200, height: 200)
        let load = BrowseEffect.load(RequestID(2), ItemID(1), box: larger, region: nil, reload: false)
        #expect(slot.show(ItemID(1), box: larger, at: 10) == [load])
        #expect(slot.content(at: 10) == .picture(facts(7), step: 64, nil))
    }

    @Test
    func `a failure shows its card; a new box does not retry, reload does`() {
        var slot = slot()
        #expect(slot.fail(RequestID(1), failure).isEmpty)
        #expect(!slot.isLoading)
        #expect(slot.content(at: 0) == .failure(failure))
        #expect(slot.show(ItemID(1), box: PixelSize(width: 5, height: 5), at: 1).isEmpty)
        let load = BrowseEffect.load(
            RequestID(2), ItemID(1), box: PixelSize(width: 5, height: 5), region: nil, reload: true)
        #expect(slot.showAgain(reload: true, at: 2) == [load])
        #expect(slot.content(at: 2) == .placeholder(nil))
    }

    @Test
    func `cancel ends the request and shows the cancelled state`() {
        var slot = slot()
        #expect(slot.cancel() == [.cancelLoad(RequestID(1))])
        #expect(slot.content(at: 500) == .cancelled)
        #expect(slot.cancel().isEmpty)
    }

    // MARK: Partial pictures

    @Test
    func `a partial picture is shown at once, replaced by the next, and the final one has no transition`() {
        var slot = slot()
        #expect(slot.receivePartial(RequestID(1), facts(3, .network), at: 10).isEmpty)
        #expect(slot.content(at: 10) == .picture(facts(3, .network), step: 64, nil))
        #expect(slot.picture == nil)
        #expect(slot.receivePartial(RequestID(1), facts(4, .network), at: 20) == [.releasePicture(PictureID(3))])
        let whole = slot.receive(RequestID(1), facts(5, .network), at: 30)
        #expect(whole == [.releasePicture(PictureID(4))])
        #expect(!slot.isInTransition)
        #expect(slot.picture == facts(5, .network))
    }

    @Test
    func `a stale partial picture is released; a failure or a cancel removes the current one`() {
        var stale = slot()
        _ = stale.show(ItemID(2), box: box, at: 5)
        #expect(stale.receivePartial(RequestID(1), facts(3), at: 10) == [.releasePicture(PictureID(3))])
        var failed = slot(SlotOptions(failure: .unset))
        _ = failed.receivePartial(RequestID(1), facts(3), at: 10)
        #expect(failed.fail(RequestID(1), failure).contains(.releasePicture(PictureID(3))))
        #expect(failed.content(at: 10) == .placeholder(nil))
        var cancelled = slot()
        _ = cancelled.receivePartial(RequestID(1), facts(3), at: 10)
        #expect(cancelled.cancel().contains(.releasePicture(PictureID(3))))
    }

    // MARK: Content after a failure

    @Test
    func `the failure setting shows the placeholder, nothing, the card or a picture`() {
        let broken = facts(99)
        let expected: [(SlotFailure, SlotContent)] = [
            (.unset, .placeholder(nil)), (.nothing, .empty), (.card, .failure(failure)),
            (.picture(broken), .failurePicture(broken, failure)),
        ]
        for (style, content) in expected {
            var slot = slot(SlotOptions(failure: style))
            _ = slot.fail(RequestID(1), failure)
            #expect(slot.content(at: 500) == content)
            #expect(slot.hasFailed)
        }
    }

    @Test
    func `a kept picture stays after a failure only if the failure setting is unset`() {
        for (style, stays) in [(SlotFailure.unset, true), (.nothing, false), (.card, false)] {
            var slot = slot(SlotOptions(keepsCurrent: true, failure: style))
            _ = slot.receive(RequestID(1), facts(7), at: 0)
            _ = slot.show(ItemID(2), box: box, at: 10)
            let effects = slot.fail(RequestID(2), failure)
            #expect(effects.contains(.releasePicture(PictureID(7))) == !stays)
            #expect((slot.content(at: 20) == .picture(facts(7), step: 64, nil)) == stays)
        }
    }

    @Test
    func `before the first picture the placeholder is shown, also with keepCurrent`() {
        #expect(slot(SlotOptions(keepsCurrent: true)).content(at: 5) == .placeholder(nil))
    }

    // MARK: Hold

    @Test
    func `a picture that arrives within the hold replaces the old one directly`() {
        var slot = slot(SlotOptions(holdDuration: 16))
        _ = slot.receive(RequestID(1), facts(7), at: 0)
        #expect(!slot.show(ItemID(2), box: box, at: 100).contains(.releasePicture(PictureID(7))))
        #expect(slot.content(at: 115) == .picture(facts(7), step: 64, nil))
        #expect(slot.tickInterval(at: 100) == 16)
        #expect(slot.receive(RequestID(2), facts(8), at: 115).contains(.releasePicture(PictureID(7))))
        #expect(slot.content(at: 115) == .picture(facts(8), step: 64, nil))
    }

    @Test
    func `after the hold the placeholder is shown, and further selections do not extend the hold`() {
        var slot = slot(SlotOptions(holdDuration: 16))
        _ = slot.receive(RequestID(1), facts(7), at: 0)
        _ = slot.show(ItemID(2), box: box, at: 100)
        _ = slot.show(ItemID(3), box: box, at: 110)
        #expect(slot.content(at: 116) == .placeholder(nil))
        #expect(slot.tick(115).isEmpty)
        #expect(slot.tick(116) == [.releasePicture(PictureID(7))])
    }

    @Test
    func `returning to the held item keeps its picture`() {
        var slot = slot(SlotOptions(holdDuration: 16))
        _ = slot.receive(RequestID(1), facts(7), at: 0)
        _ = slot.show(ItemID(2), box: box, at: 100)
        _ = slot.show(ItemID(1), box: box, at: 105)
        #expect(slot.tick(1000).isEmpty)
        #expect(slot.picture == facts(7))
    }

    // MARK: Motion

    @Test
    func `play time starts with the picture, stops during a pause and continues after it`() {
        var moving = facts(7)
        moving.frameInterval = 40
        var slot = slot()
        _ = slot.receive(RequestID(1), moving, at: 1000)
        #expect(slot.playTime(at: 1500) == 500)
        slot.setPaused(true, at: 1500)
        #expect(slot.playTime(at: 9000) == 500)
        #expect(slot.tickInterval(at: 9000) == nil)
        slot.setPaused(false, at: 9000)
        #expect(slot.playTime(at: 9100) == 600)
    }

    @Test
    func `another box does not restart an animation`() {
        var moving = facts(7)
        moving.frameInterval = 40
        var slot = slot()
        _ = slot.receive(RequestID(1), moving, at: 1000)
        _ = slot.show(ItemID(1), box: PixelSize(width: 90, height: 90), at: 1300)
        _ = slot.receive(RequestID(2), moving, at: 1400)
        #expect(slot.playTime(at: 1500) == 500)
        _ = slot.show(ItemID(2), box: box, at: 1600)
        _ = slot.receive(RequestID(3), moving, at: 1700)
        #expect(slot.playTime(at: 1800) == 100)
    }

    @Test
    func `ticks follow the frame interval until the play length`() {
        var moving = facts(7)
        (moving.frameInterval, moving.playLength) = (40, 600)
        var slot = slot()
        _ = slot.receive(RequestID(1), moving, at: 1000)
        #expect([1000, 1030, 1040, 1599, 1600].map { slot.tickInterval(at: $0) } == [40, 10, 40, 1, nil])
    }

    @Test
    func `a picture that arrives during a pause stays at its first frame`() {
        var slot = slot()
        slot.setPaused(true, at: 0)
        _ = slot.receive(RequestID(1), facts(7), at: 10)
        #expect(slot.playTime(at: 500) == 0)
    }

    @Test
    func `an empty box or no item starts no request`() {
        var slot = ImageSlot()
        #expect(slot.show(ItemID(1), box: .zero, at: 0).isEmpty)
        #expect(slot.show(nil, box: box, at: 0).isEmpty)
        #expect(slot.showAgain(reload: true, at: 0).isEmpty)
        #expect(slot.content(at: 0) == .empty)
    }
}
