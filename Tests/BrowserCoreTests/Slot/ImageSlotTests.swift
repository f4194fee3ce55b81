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
    func `a wish begins one request; the same wish again begins none`() {
        var slot = ImageSlot()
        let expected = BrowseEffect.load(RequestID(1), ItemID(1), box: box, region: nil, reload: false)
        #expect(slot.show(ItemID(1), box: box, at: 0) == [expected])
        #expect(slot.show(ItemID(1), box: box, at: 5).isEmpty)
    }

    @Test
    func `another item cancels the request before`() {
        var slot = slot()
        let effects = slot.show(ItemID(2), box: box, at: 10)
        let load = BrowseEffect.load(RequestID(2), ItemID(2), box: box, region: nil, reload: false)
        #expect(effects == [.cancelLoad(RequestID(1)), load])
    }

    @Test
    func `a stale picture is released and not shown; a stale failure changes nothing`() {
        var slot = slot()
        _ = slot.show(ItemID(2), box: box, at: 10)
        #expect(slot.receive(RequestID(1), facts(9), at: 20) == [.releasePicture(PictureID(9))])
        #expect(slot.fail(RequestID(1), failure).isEmpty)
        #expect(slot.content(at: 20) == .placeholder(nil))
    }

    @Test
    func `the indicator comes after 100 ms, not before, and counts the bytes`() {
        var slot = slot()
        slot.progress(RequestID(1), received: 400, total: 1000)
        #expect(slot.content(at: 99) == .placeholder(nil))
        #expect(
            slot.content(at: 100) == .placeholder(SlotIndicator(elapsed: 100, received: 400, total: 1000, rate: nil)))
        #expect(
            slot.content(at: 500) == .placeholder(SlotIndicator(elapsed: 500, received: 400, total: 1000, rate: 800)))
    }

    @Test(
        arguments: [PictureOrigin.memory, .disk, .file])
    func `a picture from a cache is there at once, without a transition`(origin: PictureOrigin) {
        var slot = slot()
        #expect(slot.receive(RequestID(1), facts(7, origin), at: 10).isEmpty)
        #expect(slot.content(at: 10) == .picture(facts(7, origin), step: 64, nil))
    }

    @Test
    func `a picture from the network comes in over 200 ms`() {
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
    func `a forced transition runs for a cached picture; a duration of zero runs none`() {
        var forced = slot(SlotOptions(forcesTransition: true))
        _ = forced.receive(RequestID(1), facts(7), at: 0)
        #expect(forced.isInTransition)
        var none = slot(SlotOptions(transitionDuration: 0, forcesTransition: true))
        _ = none.receive(RequestID(1), facts(7, .network), at: 0)
        #expect(none.content(at: 0) == .picture(facts(7, .network), step: 64, nil))
    }

    @Test
    func `the picture before stays with the runtime until the transition is over`() {
        var slot = slot(SlotOptions(keepsCurrent: true))
        _ = slot.receive(RequestID(1), facts(7, .network), at: 0)
        _ = slot.show(ItemID(2), box: box, at: 300)
        #expect(slot.receive(RequestID(2), facts(8, .network), at: 400).isEmpty)
        #expect(slot.tick(599).isEmpty)
        #expect(slot.tick(600) == [.releasePicture(PictureID(7))])
    }

    @Test
    func `a new selection cuts the transition`() {
        var slot = slot()
        _ = slot.receive(RequestID(1), facts(7, .network), at: 0)
        let effects = slot.show(ItemID(2), box: box, at: 50)
        #expect(effects.first == .releasePicture(PictureID(7)))
        #expect(!slot.isInTransition)
    }

    @Test
    func `keepCurrent leaves the old picture until the new one is there`() {
        var slot = slot(SlotOptions(keepsCurrent: true))
        _ = slot.receive(RequestID(1), facts(7), at: 0)
        _ = slot.show(ItemID(2), box: box, at: 10)
        #expect(slot.content(at: 20) == .picture(facts(7), step: 64, nil))
        #expect(slot.picture == nil)
        #expect(slot.receive(RequestID(2), facts(8), at: 30).contains(.releasePicture(PictureID(7))))
    }

    @Test
    func `a new box asks again and keeps the picture until then`() {
        var slot = slot()
        _ = slot.receive(RequestID(1), facts(7), at: 0)
        let larger = PixelSize(width: 200, height: 200)
        let load = BrowseEffect.load(RequestID(2), ItemID(1), box: larger, region: nil, reload: false)
        #expect(slot.show(ItemID(1), box: larger, at: 10) == [load])
        #expect(slot.content(at: 10) == .picture(facts(7), step: 64, nil))
    }

    @Test
    func `a failure shows its card; a new box does not try again, reload does`() {
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
    func `the user's cancel ends the request and says so`() {
        var slot = slot()
        #expect(slot.cancel() == [.cancelLoad(RequestID(1))])
        #expect(slot.content(at: 500) == .cancelled)
        #expect(slot.cancel().isEmpty)
    }

    // MARK: Partial pictures

    @Test
    func `a partial picture stands there at once, gives way to the next, and the whole comes without a transition`() {
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
    func `a stale partial picture is released; after a failure or a cancel none stays`() {
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
    func `unset leaves the placeholder, nothing leaves nothing, a picture takes the place`() {
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
    func `a kept picture outlives a failure only where nothing is set for it`() {
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
    func `where nothing is shown yet the placeholder stands, kept picture or not`() {
        #expect(slot(SlotOptions(keepsCurrent: true)).content(at: 5) == .placeholder(nil))
    }

    // MARK: Hold

    @Test
    func `a picture that comes within the hold takes the old one's place unseen`() {
        var slot = slot(SlotOptions(holdDuration: 16))
        _ = slot.receive(RequestID(1), facts(7), at: 0)
        #expect(!slot.show(ItemID(2), box: box, at: 100).contains(.releasePicture(PictureID(7))))
        #expect(slot.content(at: 115) == .picture(facts(7), step: 64, nil))
        #expect(slot.tickInterval(at: 100) == 16)
        #expect(slot.receive(RequestID(2), facts(8), at: 115).contains(.releasePicture(PictureID(7))))
        #expect(slot.content(at: 115) == .picture(facts(8), step: 64, nil))
    }

    @Test
    func `after the hold the placeholder stands, and haste does not lengthen it`() {
        var slot = slot(SlotOptions(holdDuration: 16))
        _ = slot.receive(RequestID(1), facts(7), at: 0)
        _ = slot.show(ItemID(2), box: box, at: 100)
        _ = slot.show(ItemID(3), box: box, at: 110)
        #expect(slot.content(at: 116) == .placeholder(nil))
        #expect(slot.tick(115).isEmpty)
        #expect(slot.tick(116) == [.releasePicture(PictureID(7))])
    }

    @Test
    func `back to the held item its picture stays`() {
        var slot = slot(SlotOptions(holdDuration: 16))
        _ = slot.receive(RequestID(1), facts(7), at: 0)
        _ = slot.show(ItemID(2), box: box, at: 100)
        _ = slot.show(ItemID(1), box: box, at: 105)
        #expect(slot.tick(1000).isEmpty)
        #expect(slot.picture == facts(7))
    }

    // MARK: Motion

    @Test
    func `play time runs from the picture's arrival, stands still in a pause and goes on after it`() {
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
    func `another box for what plays already is no reason to begin again`() {
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
    func `the looks at a moving picture count from the beginning of its play, to its end`() {
        var moving = facts(7)
        (moving.frameInterval, moving.playLength) = (40, 600)
        var slot = slot()
        _ = slot.receive(RequestID(1), moving, at: 1000)
        #expect([1000, 1030, 1040, 1599, 1600].map { slot.tickInterval(at: $0) } == [40, 10, 40, 1, nil])
    }

    @Test
    func `a picture that comes in a pause waits at its beginning`() {
        var slot = slot()
        slot.setPaused(true, at: 0)
        _ = slot.receive(RequestID(1), facts(7), at: 10)
        #expect(slot.playTime(at: 500) == 0)
    }

    @Test
    func `nothing is asked for an empty box or no item`() {
        var slot = ImageSlot()
        #expect(slot.show(ItemID(1), box: .zero, at: 0).isEmpty)
        #expect(slot.show(nil, box: box, at: 0).isEmpty)
        #expect(slot.showAgain(reload: true, at: 0).isEmpty)
        #expect(slot.content(at: 0) == .empty)
    }
}
