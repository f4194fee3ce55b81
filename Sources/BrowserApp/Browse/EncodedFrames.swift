import TerminalGraphics

/// What was encoded, by request: two budgets, so that what moves does not push out what people come back to.
///
/// Equal requests at the same time are made once.
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

    /// What is there for a request, which then counts as used.
    func picture(for request: EncodeRequest) -> EncodedPicture? {
        request.isLasting ? lasting.picture(for: request.key) : passing.picture(for: request.key)
    }

    /// The picture, made now unless it is there or about to be; nil when it cannot be made.
    func make(_ request: EncodeRequest) async -> EncodedPicture? {
        if let known = picture(for: request) { return known }
        if let running = inWork[request.key] { return await running.value }
        let work = Task { await maker.make(request) }
        inWork[request.key] = work
        let result = await work.value
        inWork[request.key] = nil
        madeCount += 1
        if let result { keep(result, request) }
        return result
    }

    private func keep(_ picture: EncodedPicture, _ request: EncodeRequest) {
        if request.isLasting {
            lasting.store(picture, for: request.key)
        } else {
            passing.store(picture, for: request.key)
        }
    }
}
