/// The content of the slot at a moment.
enum SlotContent: Equatable {
    case empty
    case placeholder(SlotIndicator?)
    /// A picture, its transition step, and the indicator of a request that will replace it.
    case picture(PictureFacts, step: Int, SlotIndicator?)
    case failure(FailureFacts)
    /// A picture shown in case of failure; the caller owns it, so that it is never released.
    case failurePicture(PictureFacts, FailureFacts)
    /// The user cancelled the request.
    case cancelled
}

/// The progress of a running request.
struct SlotIndicator: Equatable {
    /// Milliseconds since the request began.
    let elapsed: Int
    let received: Int
    let total: Int?
    /// Bytes per second since the request began; nil in the first half second.
    let rate: Int?
}

/// The options of an image slot; times in milliseconds.
package struct SlotOptions: Sendable, Equatable {
    /// The delay before a running request shows an indicator.
    package var indicatorDelay = 100
    /// The interval at which the indicator is updated.
    package var indicatorInterval = 100
    /// The duration of transitions; 0 disables them.
    package var transitionDuration = 200
    /// Whether pictures from a cache also get a transition.
    package var forcesTransition = false
    /// Whether the old picture stays until the new one is ready.
    package var keepsCurrent = false
    /// How long an unwanted picture stays while its successor is loading; 0 disables this.
    ///
    /// A successor that comes from a cache within this time replaces it without a placeholder in between.
    package var holdDuration = 0
    /// The content after a failure.
    package var failure = SlotFailure.card
}

/// The content of the slot after a failure.
package enum SlotFailure: Sendable, Equatable {
    /// The earlier content: the placeholder, or the kept picture.
    case unset
    case nothing
    /// A card with the reason.
    case card
    case picture(PictureFacts)
}
