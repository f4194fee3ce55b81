import TerminalGraphics

/// A cache of encoded pictures by request.
///
/// Animation frames have a budget of their own, so that they do not evict the pictures that users return to.
///
///
/// Equal requests at the same time are encoded once.
@MainActor
final class EncodedFrames {
    private let maker = FrameMaker()
    private var lasting: EncodedFrameCache<EncodedFrameKey>
    private var passing: EncodedFrameCache<EncodedFrameKey>
    private var inWork: [EncodedFrameKey: Task<EncodedPicture?, Never>] = [:]
    /// The number of encoded pictures, for measurements.
    private(set) var madeCount = 0

    /// - Parameters:
    /// - lasting: The budget for still pictures in bytes.
    /// - passing: The budget for animation and transition frames in bytes.
    init(lasting: Int, passing: Int) {
        self.lasting = EncodedFrameCache(budget: lasting)
        self.passing = EncodedFrameCache(budget: passing)
    }

    /// Returns the picture for a request if it is cached, and marks it as used.
    func picture(for wish: FrameWish) -> EncodedPicture? {
        wish.isLasting ? lasting.picture(for: wish.key) : passing.picture(for: wish.key)
    }

    /// Returns the picture, encoding it if necessary; nil if it cannot be encoded.
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
