/// The options of the browser; times in milliseconds.
package struct BrowseOptions: Sendable, Equatable {
    /// Whether to draw with ASCII signs only.
    package var isASCII = false
    /// Whether to prefetch items around the selection.
    package var prefetches = true
    /// The delay before a running request shows an indicator.
    package var indicatorDelay = 100
    /// The style of the indicator.
    package var indicator = IndicatorStyle.bar
    /// The interval at which the indicator is updated.
    package var indicatorInterval = 100
    /// Whether the runtime draws a placeholder instead of the card with an item's name.
    package var hasOwnPlaceholder = false
    /// The duration of transitions; 0 disables them.
    package var transitionDuration = 200
    /// Whether pictures from a cache also get a transition.
    package var forcesTransition = false
    /// Whether transitions are disabled.
    package var reducesMotion = false
    /// Whether the old picture stays until the new one is ready.
    package var keepsCurrentPicture = false
    /// How long the old picture stays while the new one is loading, to avoid flicker; 0 disables this.
    package var holdDuration = 0

    /// The content of the picture's area after a failure.
    package var failure = SlotFailure.card

    /// The key bindings.
    package var keyMap = KeyMap.standard
    /// The chain of processors that all pictures pass through, in the configuration's syntax.
    package var processor = ""
    /// The processors that the menu offers.
    package var processors: [String] = []
    /// The names of the transitions, the current one first.
    package var transitions: [String] = []
    /// How long a slideshow shows each picture.
    package var slideTime = 5000

    package init(isASCII: Bool = false, prefetches: Bool = true) {
        self.isASCII = isASCII
        self.prefetches = prefetches
    }

    var slot: SlotOptions {
        SlotOptions(
            indicatorDelay: max(0, indicatorDelay), indicatorInterval: max(20, indicatorInterval),
            transitionDuration: reducesMotion ? 0 : max(0, transitionDuration),
            forcesTransition: forcesTransition, keepsCurrent: keepsCurrentPicture,
            holdDuration: max(0, holdDuration), failure: failure)
    }
}

/// The style of a running request's indicator.
package enum IndicatorStyle: Sendable, Hashable {
    case none, ring, bar
    /// An area of some rows that the runtime draws.
    case custom(rows: Int)
}
