import Raster

/// What the browser wants done; the only way out of its update.
///
/// Results come back as messages.
package enum BrowseEffect: Sendable, Equatable {
    /// Load an item for the image slot, scaled to fit `box` pixels.
    ///
    /// With a region that part of it fills the box, from the original's pixels. `reload` skips every cache.
    case load(RequestID, ItemID, box: PixelSize, region: PictureRegion?, reload: Bool)
    /// The slot no longer wants this request's result.
    case cancelLoad(RequestID)
    /// Warm the caches in this order; replaces the order asked for before. Empty: nothing more to warm.
    case prefetch([ItemID])
    case setPrefetchPaused(Bool)
    /// Have these ready to be shown within `box` pixels, the likeliest first; replaces those named before.
    case prepare([ItemID], box: PixelSize)
    /// Have these as small pictures that fit `box` pixels, in this order; replaces those named before.
    case thumbnails([ItemID], box: PixelSize)
    /// Give up an item's running or waiting transfer.
    case cancelItem(ItemID)
    /// Forget the item's failure and try again.
    case retryItem(ItemID)
    /// Drop a decoded picture that is no longer shown.
    case releasePicture(PictureID)
    /// Pass every picture through this chain of processors from now on, as the grammar writes it.
    case setProcessor(String)
    /// Show new pictures with the transition of this name.
    case setTransition(String)
    /// Put the item's address on the terminal's clipboard.
    case copyAddresses([ItemID])
    /// Asks which paths begin so; answered by `.paths`.
    case listPaths(String)
    /// Find out what stands at a path, and answer with `pathInspected`.
    case inspectPath(String)
    /// Let one request to a host pass at once, to find out whether it answers again.
    case probeHost(String)
    /// Hand the item to the program that the system has for it.
    case openExternally(ItemID)
    /// Take the items out of both caches.
    case removeFromCache([ItemID])
    /// Load as few bytes as can be, or no longer.
    case setLowData(Bool)
    /// Find out all that is known of an item, and answer with `described`.
    case describe(ItemID)
    /// Show the cache's own screen, and come back with `resumed`.
    case openCache
    /// Write the items' processed pictures to a file, or into a folder when the path ends with `/` or there are many.
    case export([ItemID], path: String)
    /// Read the config file again, and answer with `optionsChanged` or a notice.
    case reloadConfiguration
    /// Draw the whole screen anew, whatever it is thought to show.
    case redraw
    /// Restore the terminal, stop the process, come back with `resumed`.
    case suspend
    case quit
    /// Ends with the status of an interrupt; nothing is chosen.
    case abort
}
