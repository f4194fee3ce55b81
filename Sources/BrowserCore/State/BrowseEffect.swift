import Raster

/// A side effect that the browser's update requests; results return as messages.
package enum BrowseEffect: Sendable, Equatable {
    /// Load an item for the image slot, scaled to fit `box` pixels.
    ///
    /// With a region, that part of the picture fills the box, read from the original's pixels. `reload` bypasses every
    /// cache.
    case load(RequestID, ItemID, box: PixelSize, region: PictureRegion?, reload: Bool)
    /// Load two pictures for the image slot and show them as one of at most `box` pixels.
    ///
    /// With a region, that part of each fills its area. `compared` follows with the numbers.
    case compare(RequestID, PictureComparison, box: PixelSize, region: PictureRegion?)
    /// Release the decoded pictures of a comparison that ended.
    case forgetComparison
    /// Cancel a request of the slot.
    case cancelLoad(RequestID)
    /// Prefetch these items in this order; replaces the previous order. Empty: prefetch nothing more.
    case prefetch([ItemID])
    case setPrefetchPaused(Bool)
    /// Prepare these items to be shown within `box` pixels, the most likely first; replaces the previous request.
    case prepare([ItemID], box: PixelSize)
    /// Learn the facts of these items by a decode; `factsKnown` follows for each, then `inspected`.
    case inspect([ItemID])
    /// Make thumbnails of these items that fit `box` pixels, in this order; replaces the previous request.
    case thumbnails([ItemID], box: PixelSize)
    /// Cancel an item's running or waiting transfer.
    case cancelItem(ItemID)
    /// Forget the item's failure and try again.
    case retryItem(ItemID)
    /// Release a decoded picture that is no longer shown.
    case releasePicture(PictureID)
    /// Process every picture with this chain of processors from now on.
    case setProcessor(String)
    /// Show new pictures with the transition of this name.
    case setTransition(String)
    /// Copy the items' addresses to the terminal's clipboard.
    case copyAddresses([ItemID])
    /// List the paths with this prefix; the result is `.paths`.
    case listPaths(String)
    /// Find out whether a path is a file or a folder; the result is `.pathInspected`.
    case inspectPath(String)
    /// Let one request to a host pass at once, to find out whether it responds again.
    case probeHost(String)
    /// Open the item in the configured program.
    case openExternally(ItemID)
    /// Remove the items from both caches.
    case removeFromCache([ItemID])
    /// Turn the low data mode on or off.
    case setLowData(Bool)
    /// Collect the details of an item; the result is `.described`.
    case describe(ItemID)
    /// Show the cache screen; `.resumed` follows when it closes.
    case openCache
    /// Write the items' processed pictures to a file, or into a folder if the path ends with `/` or there are several.
    case export([ItemID], path: String)
    /// Read the configuration file again; the result is `.optionsChanged` or a notice.
    case reloadConfiguration
    /// Redraw the whole screen, whatever it shows.
    case redraw
    /// Restore the terminal and stop the process; `.resumed` follows when it continues.
    case suspend
    case quit
    /// Exit with the status of an interrupt, without a selection.
    case abort
}
