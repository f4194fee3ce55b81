import TerminalGraphics

/// What was encoded, by wish: two budgets, so that what moves does not push out what people come back to.
///
/// Equal wishes at the same time are made once.
@MainActor
final class EncodedFrames {
    private let maker = FrameMaker()
    private var lasting: EncodedFrameCache<EncodedFrameKey>
    private var passing: EncodedFrameCache<EncodedFrameKey>
    private var inWork: [EncodedFrameKey: Task<EncodedPicture?, Never>] = [:]
    /// How many were made, for those who measure.
    private(set) var madeCount = 0

    /// Takes budgets in bytes.
    init(lasting: Int, passing: Int) {
        self.lasting = EncodedFrameCache(budget: lasting)
        self.passing = EncodedFrameCache(budget: passing)
    }

    /// What is there for a wish, which then counts as used.
    func picture(for wish: FrameWish) -> EncodedPicture? {
        wish.isLasting ? lasting.picture(for: wish.key) : passing.picture(for: wish.key)
    }

    /// The picture, made now unless it is there or about to be; nil when it cannot be made.
    func make(_ wish: FrameWish) async -> EncodedPicture? {
        if let known = picture(for: wish) { return known }
        if let running = inWork[wish.key] { return await running.value }
        let work = Task { await maker.make(wish) }
        inWork[wish.key] = work
        let result = await work.value
        inWork[wish.key] = nil
        madeCount += 1
        if let result { keep(result, wish) }
        return result
    }

    private func keep(_ picture: EncodedPicture, _ wish: FrameWish) {
        if wish.isLasting { lasting.store(picture, for: wish.key) } else { passing.store(picture, for: wish.key) }
    }
}
