import Raster

/// Everything that can happen to the browser; the only way into its state.
package enum BrowseMessage: Sendable, Equatable {
    case key(Key)
    case pasted(String)
    case mouse(MouseEvent)
    /// The screen's size in cells, a cell's size in pixels.
    case resized(GridSize, CellSize)
    /// The most rows of thumbnails that the terminal shows at once; nil where there is no limit.
    case thumbnailRows(Int?)
    /// Milliseconds since the start, never decreasing; the only source of time.
    case tick(milliseconds: Int)
    case itemsAdded([BrowseItem])
    /// The list was read to its end; `skipped` lines were not usable, the first of them for a reason.
    case listFinished(skipped: Int, reasons: [String] = [])
    case statusChanged(ItemID, ItemStatus)
    case slotProgress(RequestID, received: Int, total: Int?)
    /// What can be seen of a picture so far.
    case slotPartial(RequestID, PictureFacts)
    case slotPicture(RequestID, PictureFacts)
    case slotFailed(RequestID, FailureFacts)
    /// What is known of an item beyond its picture; texts are sanitised.
    case described(ItemID, [DetailLine])
    /// A small picture that was made to fit a box.
    case thumbnail(ItemID, box: PixelSize, PictureFacts)
    /// What someone took out of the caches on purpose, or what they cannot keep: it is fetched when it is looked at.
    case removedFromCaches([ItemID])
    /// The user chose an item on another screen.
    case chosen(ItemID)
    case usageChanged(CacheUsage)
    /// All the hosts in trouble, as they stand now.
    case hostsChanged([HostStatus])
    /// The paths that begin as someone typed, those of folders with a slash at the end.
    case paths(beginning: String, [String])
    /// What stands at a path.
    case pathInspected(String, PathKind)
    /// The terminal's window gained the focus or lost it.
    case focused(Bool)
    /// The terminal's control came back after a stop.
    case resumed
    /// Other options hold from now on.
    case optionsChanged(BrowseOptions)
    /// A chain of processors could not be read; the one before holds on.
    case processorRefused(String, inForce: String)
    /// Something worth one line in the status bar for a few seconds.
    case notice(String)
    /// The same, about something that went wrong.
    case warning(String)
}

/// Names one request of the image slot; a result with another number is stale.
package struct RequestID: Hashable, Sendable {
    package let rawValue: Int

    package init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// A decoded picture that the runtime holds, and what is known of it.
package struct PictureFacts: Hashable, Sendable {
    package var picture: PictureID
    /// The pixels as they will be drawn: already scaled to fit the box that the request asked for.
    package var size: PixelSize
    package var originalSize: PixelSize
    /// `JPEG`, `PNG`, `WebP`, `GIF`.
    package var format: String
    package var bytes: Int
    package var frames: Int
    /// Milliseconds from one look at it to the next that misses no frame, when it moves; nil for a still.
    package var frameInterval: Int?
    /// Milliseconds from one frame to the next, on average; nil for a still.
    package var frameDelay: Int?
    /// Milliseconds until it stands still for good; nil for a still, and for what plays for ever.
    package var playLength: Int?
    package var origin: PictureOrigin
    /// From request to pixels.
    package var milliseconds: Int
    /// The processor chain in the grammar's words; empty when there is none.
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

/// Where a picture came from.
package enum PictureOrigin: String, Hashable, Sendable {
    case memory, disk, network, file
    /// From the disk although it has expired, as its server could not be asked.
    case expired
}

/// Why there is no picture; texts are sanitised.
package struct FailureFacts: Hashable, Sendable {
    /// A few words: `404 Not Found`.
    package var title: String
    /// One sentence: what, where, why.
    package var detail: String
    package var attempts: Int

    package init(title: String, detail: String, attempts: Int) {
        self.title = title
        self.detail = detail
        self.attempts = attempts
    }
}

/// What the two cache tiers hold and may hold, in bytes.
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
