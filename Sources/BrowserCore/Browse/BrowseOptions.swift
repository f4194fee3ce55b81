/// How the browser behaves; times in milliseconds.
package struct BrowseOptions: Sendable, Equatable {
    /// Draw with ASCII signs only.
    ///
    /// Default: false.
    package var isASCII = false
    /// Warm the caches around the selection.
    ///
    /// Default: true.
    package var prefetches = true
    /// How long a request runs before an indicator shows.
    ///
    /// Default: 100 ms.
    package var indicatorDelay = 100
    /// How a running request shows.
    ///
    /// Default: a bar.
    package var indicator = IndicatorStyle.bar
    /// How often a running request is looked at.
    ///
    /// Default: 100 ms.
    package var indicatorInterval = 100
    /// Whether a stand-in takes the place of the card with an item's name.
    ///
    /// Default: false.
    package var hasOwnPlaceholder = false
    /// How long a transition takes.
    ///
    /// Default: 200 ms; 0 is none.
    package var transitionDuration = 200
    /// Also run transitions for pictures from caches.
    ///
    /// Default: false.
    package var forcesTransition = false
    /// No transitions at all.
    ///
    /// Default: false.
    package var reducesMotion = false
    /// Leave the old picture up until the new one is there.
    ///
    /// Default: false.
    package var keepsCurrentPicture = false
    /// How long the old picture stays when the new one is not there at once; nothing flickers if it comes by then.
    ///
    /// Default: 0, not at all.
    package var holdDuration = 0

    /// What stands in the picture's place after a failure.
    ///
    /// Default: a card with the reason.
    package var failure = SlotFailure.card

    /// Which keys do what.
    ///
    /// Default: the standard ones.
    package var keyMap = KeyMap.standard
    /// The chain of processors that pictures pass through, as the grammar writes it.
    ///
    /// Default: none.
    package var processor = ""
    /// The processors that the menu offers, as the grammar writes them.
    package var processors: [String] = []
    /// The names of the transitions, the one that holds first.
    package var transitions: [String] = []
    /// How long each picture is shown in a slideshow.
    ///
    /// Default: 5 s.
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

/// How a running request shows on the placeholder.
package enum IndicatorStyle: Sendable, Hashable {
    case none, ring, bar
    /// A stand-in of so many rows.
    case custom(rows: Int)
}
