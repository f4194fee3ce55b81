import Raster

/// What the image slot wants done, and what became of its requests.
enum SlotAction: Equatable {
    case load(RequestID, ItemID, box: PixelSize, region: PictureRegion?, reload: Bool)
    case cancel(RequestID)
    case release(PictureID)
    /// Said exactly once for every request that was begun.
    case completed(RequestID, SlotOutcome)
}

/// How a request ended.
enum SlotOutcome: Equatable {
    case picture, failure, cancelled
}

/// What the slot shows at a moment.
enum SlotContent: Equatable {
    case empty
    case placeholder(SlotIndicator?)
    /// A picture, its transition step, and the indicator of a request that will replace it.
    case picture(PictureFacts, step: Int, SlotIndicator?)
    case failure(FailureFacts)
    /// A picture that stands for a failure; it is the caller's, and never released.
    case failurePicture(PictureFacts, FailureFacts)
    /// The user gave up on it.
    case cancelled
}

/// What is known of a running request.
struct SlotIndicator: Equatable {
    /// Milliseconds since the request began.
    let elapsed: Int
    let received: Int
    let total: Int?
    /// Bytes a second since the request began; nil in its first half second.
    let rate: Int?
}

/// How the slot behaves; times in milliseconds.
struct SlotOptions: Sendable, Equatable {
    /// How long a request runs before an indicator says so.
    var indicatorDelay = 100
    /// How often a running request is looked at.
    var indicatorInterval = 100
    /// 0: none.
    var transitionDuration = 200
    /// Whether a transition also runs for a picture that came from a cache.
    var forcesTransition = false
    /// Whether the old picture stays until the new one is there.
    var keepsCurrent = false
    /// How long a picture that is no longer wanted stays when its successor is not there yet.
    ///
    /// One that comes out of a cache in that time takes its place without a placeholder in between. 0, the default:
    /// not at all.
    var holdDuration = 0
    var failure = SlotFailure.card
}

/// What stands in the slot after a failure.
package enum SlotFailure: Sendable, Equatable {
    /// Whatever stood there: the placeholder, or the kept picture.
    case unset
    case nothing
    /// A card with the reason.
    case card
    case picture(PictureFacts)
}
