/// The options of the browser; times in milliseconds.
package struct BrowseOptions: Sendable, Equatable {
    /// Whether to draw with ASCII signs only.
    package var isASCII = false
    /// Whether to prefetch items around the selection.
    package var prefetches = true
    /// Whether to prefetch all of a long list, not only around the cursor.
    package var prefetchesAll = false
    /// The options of the area that shows the selected picture.
    package var slot = SlotOptions()
    /// The style of the indicator.
    package var indicator = IndicatorStyle.bar
    /// Whether the runtime draws a placeholder instead of the card with an item's name.
    package var hasOwnPlaceholder = false
    /// Whether transitions are disabled.
    package var reducesMotion = false
    /// The key bindings.
    package var keyMap = KeyMap.standard
    /// The chain of processors that all pictures pass through, in the configuration's syntax.
    package var processor = ""
    /// The processors that the menu offers.
    package var processors: [String] = []
    /// The names of the transitions, the current one first.
    package var transitions: [String] = []
    /// The seconds after which a server's silence ends an attempt; nil if nothing ends it.
    package var answerTime: Int?
    /// The faulty lines of the configuration, which are not used.
    package var faults: [ConfigurationFault] = []
    /// Whether the first two pictures are compared as soon as the list is read.
    package var compares = false
    /// How long a slideshow shows each picture.
    package var slideTime = 5000

    package init(isASCII: Bool = false, prefetches: Bool = true) {
        self.isASCII = isASCII
        self.prefetches = prefetches
    }
}

/// The style of a running request's indicator.
package enum IndicatorStyle: Sendable, Hashable {
    case none, disc, bar
    /// An area of some rows that the runtime draws.
    case custom(rows: Int)
}
