import AlcedoFileOperations
import AlcedoScreen
import Raster

/// An input or event for the browser's update.
package enum BrowseMessage: Sendable, Equatable {
    case key(Key)
    /// Whether the keys that follow arrive together, as pasted text does; actions that change files or run programs wait
    /// for a key that comes alone.
    case keysTogether(Bool)
    case pasted(String)
    case mouse(MouseEvent)
    /// The screen's size in cells, a cell's size in pixels.
    case resized(GridSize, CellSize)
    /// The most rows of thumbnails that the terminal can show at once; nil for no limit.
    case thumbnailRows(Int?, showsText: Bool = false)
    /// Which graphics are in use and why, for the help.
    case terminalKnown([DetailLine])
    /// Milliseconds since the start, never decreasing; the only source of time.
    case tick(milliseconds: Int)
    case itemsAdded([BrowseItem])
    /// The contents of a folder; nil if it cannot be read. The summary is in a few short texts.
    case folderRead(ItemID, pictures: Int?, summary: [String])
    /// The filter with which the list was left; the number of marks is told, which follow with their items.
    case sessionFound(filter: String, marks: Int, columns: Int? = nil)
    /// Items that were marked, and the one that was selected, when the list was left.
    case sessionItems(marked: [ItemID], selected: ItemID?)
    /// A list, or a list that it names, cannot be read.
    case listUnreadable(String)
    /// Whether the folder that is shown is gone.
    case folderGone(Bool)
    /// The list was read to its end; `skipped` lines were unusable, `reasons` has the first reasons.
    case listFinished(skipped: Int, reasons: [String] = [])
    case statusChanged(ItemID, ItemStatus)
    /// The file of an item was written again, or was deleted or moved.
    case fileChanged(ItemID, isThere: Bool)
    /// The file of an item has another name.
    case renamed(BrowseItem)
    case files(FileAnswer)
    /// The folders that were listed before, the pinned ones first.
    case placesKnown([RememberedFolder])
    /// When pictures of local files were taken, else when the files were changed: seconds since 1970 by the local clock.
    case datesRead([ItemID: Int])
    /// How pictures were taken; nil for what cannot be read yet.
    case capturesRead([ItemID: CaptureTexts?])
    case slotProgress(RequestID, received: Int, total: Int?)
    /// A partial picture.
    case slotPartial(RequestID, ShownPicture)
    case slotPicture(RequestID, ShownPicture)
    case slotFailed(RequestID, FailureFacts)
    /// The details of a failure, after the status that tells it.
    case failureKnown(ItemID, FailureFacts)
    /// Details of an item beyond its picture, and the histogram of its brightness: sixteen shares, or none.
    case described(ItemID, [DetailLine], histogram: [Double] = [])
    /// A thumbnail that was made to fit a box.
    case thumbnail(ItemID, box: PixelSize, ShownPicture)
    /// The facts about an item's picture.
    case factsKnown(ItemID, ItemFacts)
    /// The facts that `inspect` requested are there.
    case inspected
    /// The number of requested pictures that were decoded for their facts.
    case inspecting(done: Int)
    /// The number of compared pictures that were read, of two.
    case comparisonRead(Int)
    /// The numbers of a comparison.
    case compared(ComparisonFacts)
    /// Items that were removed from the caches or cannot be stored there; they load only when selected.
    case removedFromCaches([ItemID])
    /// The user chose an item on another screen.
    case chosen(ItemID)
    case usageChanged(CacheUsage)
    /// All hosts in trouble.
    case hostsChanged([HostStatus])
    /// The paths with a typed prefix; those of folders end with a slash.
    case paths(beginning: String, [String])
    /// The kind of a path.
    case pathInspected(String, PathKind)
    /// The terminal's window gained or lost the focus.
    case focused(Bool)
    /// The program controls the terminal again.
    case resumed
    /// The options were replaced.
    case optionsChanged(BrowseOptions)
    /// A chain of processors was invalid; the previous one stays in force.
    case processorRefused(String, inForce: String)
    /// A line for the status bar, shown for a few seconds.
    case notice(String)
    /// A notice about an item's picture, shown while it is selected.
    case pictureNotice(ItemID, String)
    /// A notice about something that went wrong.
    case warning(String)
}

/// A decoded picture that the runtime holds, with its properties.
package struct ShownPicture: Hashable, Sendable {
    package var picture: PictureID
    /// The size in pixels as drawn, already scaled to fit the requested box.
    package var size: PixelSize
    package var originalSize: PixelSize
    /// `JPEG`, `PNG`, `WebP`, `GIF`.
    package var format: String
    /// The damage in a few words, such as `corrupt`; empty for a whole file.
    package var damage = ""
    /// The colours of the file in words; empty if they are not known.
    package var color = ""
    package var bytes: Int
    package var frames: Int
    /// The page, from 1, and the number of pages of the file.
    package var page = 1
    package var pages = 1
    /// Milliseconds between updates that miss no frame of an animation; nil for a still picture.
    package var frameInterval: Int?
    /// The average delay between frames in milliseconds; nil for a still picture.
    package var frameDelay: Int?
    /// Milliseconds until the animation stops; nil for a still picture and for one that repeats forever.
    package var playLength: Int?
    package var origin: PictureOrigin
    /// The time from request to pixels.
    package var milliseconds: Int
    /// The processor chain; empty if there is none.
    package var processor: String

    package init(
        picture: PictureID, size: PixelSize, originalSize: PixelSize, format: String, bytes: Int, frames: Int,
        frameInterval: Int? = nil, frameDelay: Int? = nil, playLength: Int? = nil, origin: PictureOrigin,
        milliseconds: Int, processor: String
    ) {
        (self.picture, self.size, self.originalSize, self.format) = (picture, size, originalSize, format)
        (self.bytes, self.frames, self.frameInterval, self.frameDelay) = (bytes, frames, frameInterval, frameDelay)
        (self.playLength, self.origin, self.milliseconds) = (playLength, origin, milliseconds)
        self.processor = processor
    }
}

extension BrowseMessage {
    /// Whether it is a key, a text or a mouse action of the user.
    package var isInput: Bool {
        switch self {
        case .key, .keysTogether, .pasted, .mouse: true
        default: false
        }
    }
}

/// The source of a picture.
package enum PictureOrigin: String, Hashable, Sendable {
    case memory, disk, network, file
    /// An expired entry of the disk cache, used because the server did not respond.
    case expired
}

/// The reason why a picture could not be loaded; texts are sanitized.
package struct FailureFacts: Hashable, Sendable {
    /// A few words: `404 Not Found`.
    package var title: String
    /// One sentence: what failed, where, why.
    package var detail: String
    package var attempts: Int

    package init(title: String, detail: String, attempts: Int) {
        (self.title, self.detail, self.attempts) = (title, detail, attempts)
    }
}

/// The size and limit of both cache tiers in bytes.
package struct CacheUsage: Hashable, Sendable {
    package var memoryBytes: Int
    package var memoryLimit: Int
    package var diskBytes: Int
    package var diskLimit: Int

    package init(memoryBytes: Int, memoryLimit: Int, diskBytes: Int, diskLimit: Int) {
        (self.memoryBytes, self.memoryLimit, self.diskBytes) = (memoryBytes, memoryLimit, diskBytes)
        self.diskLimit = diskLimit
    }
}

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
    /// Prefetch these items in this order, instead of the earlier ones. An empty list stops the prefetch.
    case prefetch([ItemID])
    case setPrefetchPaused(Bool)
    /// Prepare these items to be shown within `box` pixels, the most likely first; replaces the previous request.
    case prepare([ItemID], box: PixelSize)
    /// Learn the facts of these items by a decode; `factsKnown` follows for each, then `inspected`.
    case inspect([ItemID])
    /// Make thumbnails of these items that fit `box` pixels, in this order, the visible ones first; replaces the
    /// previous request.
    case thumbnails([ItemID], box: PixelSize, visible: Int)
    /// Count the pictures of these folders; `folderRead` follows for each.
    case countFolders([ItemID])
    /// Show another folder's list in place of this one.
    case visit(FolderVisit)
    /// Cancel an item's running or waiting transfer.
    case cancelItem(ItemID)
    /// Forget the item's failure and try again.
    case retryItem(ItemID)
    /// Release a decoded picture that is no longer shown.
    case releasePicture(PictureID)
    /// Process every picture with this chain of processors from now on.
    case setProcessor(String)
    /// Loads another page of an item's file from now on.
    case setPage(ItemID, Int)
    /// Shows an item's picture turned from now on.
    case setTurn(ItemID, Orientation)
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
    /// Read when the pictures of local files were taken, else when the files were changed; `.datesRead` follows.
    case readDates([ItemID])
    /// Read how the pictures of these items were taken; `.capturesRead` follows for some at a time; none ends that.
    case readCaptures([ItemID])
    /// Run a shell command with the items' locations as arguments, in place of `{}` or at its end.
    case runCommand(String, [ItemID])
    /// Change the local files of these items, or those of `holdFiles` if there are none; `fileChanged` and `renamed`
    /// follow.
    ///
    /// `answers` tells what becomes of files, by their paths, whose names are taken.
    case changeFiles(FileOperation, [ItemID], answers: [String: ConflictAnswer] = [:])
    /// Remember the files of these items for `putFiles`.
    case holdFiles([ItemID])
    /// Find out what a copy or move of the remembered files to this folder meets; `files(.planned)` without items follows.
    case putFiles(areMoved: Bool)
    /// Find out what an operation on the files of these items meets; `files(.planned)` follows.
    case planFiles(FileOperation, [ItemID])
    /// Let the user edit names of these items' files in an editor: those given, else their own; `files(.renamesPlanned)` follows.
    case editNames([ItemID], [String]?)
    /// End the change of files that runs with the file that is under way.
    case stopFiles
    /// Read the folders into which files were copied or moved; `files(.foldersKnown)` follows.
    case readFolders
    /// Read the folders that were listed before; `placesKnown` follows.
    case readPlaces
    /// Keep a folder in front of the others, or not any more; `placesKnown` follows.
    case pinPlace(String)
    /// Take the last change of files back.
    case undoFiles
    /// Open the item in the configured program.
    case openExternally(ItemID)
    /// Remove the items from both caches.
    case removeFromCache([ItemID])
    /// Turn the low data mode on or off.
    case setLowData(Bool)
    /// Collect the details of an item and its shown picture; the result is `.described`.
    case describe(ItemID, picture: PictureID?)
    /// Show the cache screen; `.resumed` follows when it closes.
    case openCache
    /// Write the items' processed pictures to a file, or into a folder if the path ends with `/` or there are several.
    ///
    /// `answers` tells what becomes of names that are taken there; if it is nil, `files(.planned)` follows if there are any.
    case export([ItemID], path: String, answers: [String: ConflictAnswer]? = nil)
    /// Read the configuration file again; the result is `.optionsChanged` or a notice.
    case reloadConfiguration
    /// Redraw the whole screen, whatever it shows.
    case redraw
    /// Restore the terminal and stop the process; `.resumed` follows when it continues.
    case suspend
    case quit
    /// Exit with status 130 and print no selected pictures.
    case abort
}

/// Two pictures to be shown as one.
package struct PictureComparison: Sendable, Equatable {
    package enum View: Sendable, Equatable {
        /// Both, side by side or one above the other.
        case beside
        /// One of them.
        case first, second
        /// The amplified differences of their pixels.
        case difference
    }

    package let first: ItemID
    package let second: ItemID
    package let view: View
    /// The size of the area for one picture, in pixels.
    package let part: PixelSize

    package init(first: ItemID, second: ItemID, view: View, part: PixelSize) {
        (self.first, self.second, self.view, self.part) = (first, second, view, part)
    }
}

/// Numbers that compare two pictures.
package struct ComparisonFacts: Sendable, Equatable {
    package let first: ItemID
    package let second: ItemID
    package let firstSize: PixelSize
    package let secondSize: PixelSize
    /// Decibels; infinite for equal pixels.
    package let psnr: Double
    /// −1…1; 1 for equal pixels.
    package let ssim: Double
    /// The factor by which the view of the difference multiplies.
    package let amplification: Int

    package init(
        first: ItemID, second: ItemID, firstSize: PixelSize, secondSize: PixelSize, psnr: Double, ssim: Double,
        amplification: Int
    ) {
        (self.first, self.second) = (first, second)
        (self.firstSize, self.secondSize) = (firstSize, secondSize)
        (self.psnr, self.ssim, self.amplification) = (psnr, ssim, amplification)
    }
}
