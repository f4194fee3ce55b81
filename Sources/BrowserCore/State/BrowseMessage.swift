import Raster

/// An input or event for the browser's update.
package enum BrowseMessage: Sendable, Equatable {
    case key(Key)
    case pasted(String)
    case mouse(MouseEvent)
    /// The screen's size in cells, a cell's size in pixels.
    case resized(GridSize, CellSize)
    /// The most rows of thumbnails that the terminal can show at once; nil for no limit.
    case thumbnailRows(Int?)
    /// Milliseconds since the start, never decreasing; the only source of time.
    case tick(milliseconds: Int)
    case itemsAdded([BrowseItem])
    /// The filter with which the list was left; the number of marks is told, which follow with their items.
    case sessionFound(filter: String, marks: Int)
    /// Items that were marked, and the one that was selected, when the list was left.
    case sessionItems(marked: [ItemID], selected: ItemID?)
    /// The list was read to its end; `skipped` lines were unusable, `reasons` has the first reasons.
    case listFinished(skipped: Int, reasons: [String] = [])
    case statusChanged(ItemID, ItemStatus)
    case slotProgress(RequestID, received: Int, total: Int?)
    /// A partial picture.
    case slotPartial(RequestID, PictureFacts)
    case slotPicture(RequestID, PictureFacts)
    case slotFailed(RequestID, FailureFacts)
    /// Details of an item beyond its picture; texts are sanitized.
    case described(ItemID, [DetailLine])
    /// A thumbnail that was made to fit a box.
    case thumbnail(ItemID, box: PixelSize, PictureFacts)
    /// The facts about an item's picture.
    case factsKnown(ItemID, ItemFacts)
    /// The facts that `inspect` requested are there.
    case inspected
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
    /// A notice about something that went wrong.
    case warning(String)
}

/// Identifies a request; a result with another number than the current request's is stale.
package struct RequestID: Hashable, Sendable {
    package let rawValue: Int

    package init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// A decoded picture that the runtime holds, with its properties.
package struct PictureFacts: Hashable, Sendable {
    package var picture: PictureID
    /// The size in pixels as drawn, already scaled to fit the requested box.
    package var size: PixelSize
    package var originalSize: PixelSize
    /// `JPEG`, `PNG`, `WebP`, `GIF`.
    package var format: String
    /// The colours of the file in words; empty if they are not known.
    package var color = ""
    package var bytes: Int
    package var frames: Int
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
        self.picture = picture
        self.size = size
        self.originalSize = originalSize
        self.format = format
        self.bytes = bytes
        self.frames = frames
        self.frameInterval = frameInterval
        self.frameDelay = frameDelay
        self.playLength = playLength
        self.origin = origin
        self.milliseconds = milliseconds
        self.processor = processor
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
        self.title = title
        self.detail = detail
        self.attempts = attempts
    }
}

/// The size and limit of both cache tiers in bytes.
package struct CacheUsage: Hashable, Sendable {
    package var memoryBytes: Int
    package var memoryLimit: Int
    package var diskBytes: Int
    package var diskLimit: Int

    package init(memoryBytes: Int, memoryLimit: Int, diskBytes: Int, diskLimit: Int) {
        self.memoryBytes = memoryBytes
        self.memoryLimit = memoryLimit
        self.diskBytes = diskBytes
        self.diskLimit = diskLimit
    }
}
