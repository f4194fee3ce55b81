import TerminalGraphics

/// A cache of encoded pictures by request.
///
/// Animation frames have a budget of their own, so that they do not evict the pictures that users return to.
///
/// Equal requests at the same time are encoded once.
@MainActor
final class EncodedFrames {
    private let encoder = FrameEncoder()
    private var lasting: EncodedFrameCache<EncodedFrameKey>
    private var passing: EncodedFrameCache<EncodedFrameKey>
    private var running: [EncodedFrameKey: Task<EncodedPicture?, Never>] = [:]
    /// The number of encoded pictures, for measurements.
    private(set) var madeCount = 0

    /// - Parameters:
    ///   - lasting: The budget for still pictures in bytes.
    ///   - passing: The budget for animation and transition frames in bytes.
    init(lasting: Int, passing: Int) {
        self.lasting = EncodedFrameCache(budget: lasting)
        self.passing = EncodedFrameCache(budget: passing)
    }

    /// Returns the picture for a request if it is cached, and marks it as used.
    func picture(for request: EncodeRequest) -> EncodedPicture? {
        request.isLasting ? lasting.picture(for: request.key) : passing.picture(for: request.key)
    }

    /// Returns the picture, encoding it if necessary; nil if it cannot be encoded.
    func make(_ request: EncodeRequest) async -> EncodedPicture? {
        if let known = picture(for: request) { return known }
        if let task = running[request.key] { return await task.value }
        let work = Task { await encoder.make(request) }
        running[request.key] = work
        let result = await work.value
        running[request.key] = nil
        madeCount += 1
        if let result { store(result, request) }
        return result
    }

    private func store(_ picture: EncodedPicture, _ request: EncodeRequest) {
        if request.isLasting {
            lasting.store(picture, for: request.key)
        } else {
            passing.store(picture, for: request.key)
        }
    }
}
