import FaultServer
import Foundation
import ImageTestSupport
import KingfisherCompatibility
import TestSupport
import Testing

/// What a view promises: placeholders, indicators, transitions, newer requests.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ViewTests {
    /// A clock whose sleeps take no time, so that a transition has a fixed number of frames.
    private let screen = Screen(clock: ManualClock(advancesItself: true))
    private let view: TerminalImageView

    init() throws {
        view = screen.view
        KingfisherManager.shared.cache = try SharedCache.cache.get()
    }

    /// Keeps what the library does with it.
    private final class Card: Placeholder {
        var calls: [String] = []

        func add(to imageView: TerminalImageView) { calls.append("add") }
        func remove(from imageView: TerminalImageView) { calls.append("remove") }
    }

    private final class Spinner: Indicator {
        let view = Screen().view
        var calls: [String] = []

        func startAnimatingView() { calls.append("start \(view.isHidden)") }
        func stopAnimatingView() { calls.append("stop \(view.isHidden)") }
    }

    private func shown(
        _ url: URL?, placeholder: (any Placeholder)? = nil, _ options: KingfisherOptionsInfo = []
    ) async -> Result<RetrieveImageResult, KingfisherError> {
        await withCheckedContinuation { continuation in
            view.kf.setImage(with: url, placeholder: placeholder, options: options) {
                continuation.resume(returning: $0)
            }
        }
    }

    private func slow(_ gate: FaultGate) throws -> FaultScript {
        FaultScript([.wait(gate)] + FaultScript.picture(Array(try Place.picture(.red))).steps)
    }

    @Test func `an image is drawn and stored in its own size`() async throws {
        let place = try await Place()
        let url = try place.url("/a.png")
        let value = try await shown(url).get()
        #expect(value.image.size == PixelSize(width: 60, height: 40) && view.image == value.image)
        await until { !screen.updates.isEmpty }
        #expect(KingfisherManager.shared.cache.isCached(forKey: url.cacheKey))
        #expect(view.kf.taskIdentifier == nil && view.kf.placeholder == nil)
    }

    @Test func `an image in memory is shown before the call returns`() async throws {
        let place = try await Place()
        let url = try place.url("/a.png")
        _ = await shown(url)
        view.image = nil
        let task = view.kf.setImage(with: url)
        #expect(task == nil && view.image != nil && view.kf.taskIdentifier == nil)
    }

    @Test func `the placeholder is added at once and removed for the image`() async throws {
        let gate = FaultGate()
        let place = try await Place(["/slow": [try slow(gate)]])
        let (card, done) = (Card(), Recorder<Bool>())
        view.kf.setImage(with: try place.url("/slow"), placeholder: card) { done.add($0.value != nil) }
        #expect(card.calls == ["add"] && view.kf.placeholder is Card)
        #expect(view.kf.taskIdentifier != nil)
        gate.open()
        await done.until(count: 1)
        #expect(card.calls == ["add", "remove"] && done.all == [true])
    }

    @Test func `an image as the placeholder is the view's image`() async throws {
        let gate = FaultGate()
        let place = try await Place(["/slow": [try slow(gate)]])
        let blue = try Place.image(.blue)
        view.kf.setImage(with: try place.url("/slow"), placeholder: blue)
        #expect(view.image == blue)
        gate.open()
        await until { view.image?.pixels[0, 0] == .red }
    }

    @Test func `after a failure the placeholder stays, or the failure image replaces it`() async throws {
        let place = try await Place()
        let (card, green) = (Card(), try Place.image(.green))
        #expect(await shown(try place.url("/missing"), placeholder: card).error?.errorCode == 2002)
        #expect(card.calls == ["add"])
        _ = await shown(try place.url("/missing"), placeholder: Card(), [.onFailureImage(green)])
        #expect(view.image == green && card.calls == ["add", "remove"] && view.kf.placeholder == nil)
        _ = await shown(try place.url("/missing"), [.onFailureImage(nil)])
        #expect(view.image == nil)
    }

    @Test func `a kept image stays instead of the placeholder`() async throws {
        let place = try await Place()
        _ = await shown(try place.url("/a.png"))
        let card = Card()
        _ = await shown(try place.url("/missing"), placeholder: card, [.keepCurrentImageWhileLoading])
        #expect(card.calls.isEmpty && view.image?.pixels[0, 0] == .red)
        view.image = nil
        _ = await shown(try place.url("/missing"), placeholder: card, [.keepCurrentImageWhileLoading])
        #expect(card.calls == ["add"])
    }

    @Test func `a nil source shows the placeholder and is an error`() async throws {
        let card = Card()
        let outcome = await shown(nil, placeholder: card)
        #expect(outcome.error?.errorCode == 5001 && card.calls == ["add"])
    }

    @Test func `a newer request makes the older one end with its values`() async throws {
        let (gate, body) = (FaultGate(), Array(try Place.picture(.blue)))
        let place = try await Place(["/slow": [try slow(gate)], "/new": [.picture(body)], "/bad": [.status(500)]])
        let (slow, outcomes) = (try place.url("/slow"), Recorder<Result<RetrieveImageResult, KingfisherError>>())
        view.kf.setImage(with: slow) { outcomes.add($0) }
        let number = view.kf.taskIdentifier
        await place.server.arrival(of: "/slow")
        #expect(await shown(try place.url("/new")).value != nil)
        gate.open()
        await outcomes.until(count: 1)
        let error = outcomes.all.first?.error
        guard case .imageSettingError(.notCurrentSourceTask(let result, let inner, let source)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.isNotCurrentTask == true && inner == nil && source.url == slow && number != nil)
        #expect(result?.image.pixels[0, 0] == .red && view.image?.pixels[0, 0] == .blue)
    }

    @Test func `the same address while it loads needs one request`() async throws {
        let gate = FaultGate()
        let place = try await Place(["/slow": [try slow(gate)]])
        let (url, outcomes) = (try place.url("/slow"), Recorder<Bool>())
        for _ in 0..<5 { view.kf.setImage(with: url) { outcomes.add($0.value != nil) } }
        await place.server.arrival(of: "/slow")
        gate.open()
        await outcomes.until(count: 5)
        #expect(outcomes.all.count { $0 } == 1)
        #expect(await place.requests("/slow") == 1)
    }

    @Test func `cancelDownloadTask ends the request as cancelled`() async throws {
        let gate = FaultGate()
        let place = try await Place(["/slow": [FaultScript([.wait(gate)])]])
        let outcomes = Recorder<KingfisherError?>()
        view.kf.setImage(with: try place.url("/slow")) { outcomes.add($0.error) }
        view.kf.cancelDownloadTask()
        await outcomes.until(count: 1)
        #expect(outcomes.all.first??.isTaskCancelled == true)
        gate.open()
    }

    @Test func `an own indicator is shown while the image loads`() async throws {
        let place = try await Place()
        let spinner = Spinner()
        view.kf.indicatorType = .custom(indicator: spinner)
        #expect(spinner.view.isHidden && view.kf.indicator is Spinner)
        _ = await shown(try place.url("/a.png"))
        #expect(spinner.calls == ["start false", "stop false"] && spinner.view.isHidden)
        #expect(spinner.view.rect == view.rect)
        view.kf.indicatorType = .none
        #expect(view.kf.indicator == nil)
    }

    @Test(arguments: [true, false]) func `a built-in indicator draws over the view`(isImage: Bool) async throws {
        let gate = FaultGate()
        let place = try await Place(["/slow": [try slow(gate)]])
        view.kf.indicatorType = isImage ? .image(imageData: try Place.picture(.green, 20, 20)) : .activity
        let done = Recorder<Bool>()
        view.kf.setImage(with: try place.url("/slow")) { done.add($0.value != nil) }
        let before = screen.updates.count
        await until { screen.updates.count > before }
        gate.open()
        await done.until(count: 1)
        #expect(done.all == [true] && view.image?.pixels[0, 0] == .red)
    }

    @Test func `a transition runs for fetched images, for cached ones only if forced`() async throws {
        let place = try await Place()
        let url = try place.url("/a.png")
        func updates(_ options: KingfisherOptionsInfo) async -> Int {
            let before = screen.updates.count
            _ = await shown(url, options + [.transition(.fade(0.2))])
            return screen.updates.count - before
        }
        // 200 ms are twelve steps of 16 ms and the image itself.
        #expect(await updates([]) >= 13)
        #expect(await updates([]) <= 2)
        #expect(await updates([.forceTransition]) >= 13)
    }

    @Test(arguments: [true, false])
    func `a progressive JPEG is shown while it arrives, as its closure decides`(isShown: Bool) async throws {
        let (file, gate) = (Array(try ProgressiveJPEG.file()), FaultGate())
        let head = FaultScript.head(200, [("Content-Type", "image/jpeg"), ("Content-Length", "\(file.count)")])
        let half = file.count / 2
        let script = FaultScript([
            .send(head), .send(Array(file[..<half])), .wait(gate), .send(Array(file[half...])),
        ])
        let place = try await Place(["/slow.jpg": [script]])
        let (seen, done) = (Recorder<Image>(), Recorder<Bool>())
        let progressive = ImageProgressive(isBlur: false, isFastestScan: true, scanInterval: 0)
        progressive.onImageUpdated.delegate(on: seen) { seen, image in
            seen.add(image)
            return isShown ? .default : .keepCurrent
        }
        view.kf.setImage(with: try place.url("/slow.jpg"), options: [.progressiveJPEG(progressive)]) {
            done.add($0.value != nil)
        }
        await seen.until(count: 1)
        if isShown { await until { view.image != nil } }
        #expect((view.image != nil) == isShown && progressive.onImageUpdated.isSet)
        gate.open()
        await done.until(count: 1)
        #expect(done.all == [true] && view.image != nil)
    }

    @Test func `a view is made in cells or in a frame`() {
        let encoder = PictureEncoder(protocol: .sixel(SixelLimits()))
        let rect = Rect(column: 1, row: 2, columns: 3, rows: 4)
        #expect(TerminalImageView(in: rect, encoder: encoder) { _ in }.rect == rect)
        let frame = CGRect(x: 1, y: 2, width: 3, height: 4)
        #expect(TerminalImageView(frame: frame, encoder: encoder).rect == rect)
        #expect(TerminalImageView(frame: CGRect(x: CGFloat.nan, y: -1, width: 1, height: 1)).rect.column == 0)
    }

    @Test func `progress comes on the main actor`() async throws {
        let place = try await Place()
        let seen = Recorder<[Int64]>()
        _ = await withCheckedContinuation { continuation in
            view.kf.setImage(with: try? place.url("/a.png"), progressBlock: { seen.add([$0, $1]) }) {
                continuation.resume(returning: $0)
            }
        }
        let size = Int64(try Place.picture(.red).count)
        #expect(seen.all.last == [size, size])
    }
}
