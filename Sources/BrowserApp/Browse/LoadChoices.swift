import BrowserCore
import ImageLoading
import Raster

/// The load options of items: those of their list entry, combined with those chosen for all.
@MainActor
final class LoadChoices {
    private let library: ImageServices
    private let feed: BrowserFeed
    /// Applied between source and preview.
    private var processor: any ImageProcessor
    /// The text of the processor chain.
    private(set) var processorText: String
    var isLowData = false

    init(library: ImageServices, feed: BrowserFeed, settings: BrowserSettings) {
        self.library = library
        self.feed = feed
        (processor, processorText) = (settings.processor, settings.processorText)
    }

    /// Sets the processor chain; an invalid chain changes nothing.
    func setProcessor(_ chain: String) throws(ProcessorGrammar.Problem) {
        processor = try chain.isEmpty ? DefaultImageProcessor() : ProcessorGrammar.parse(chain)
        processorText = chain
    }

    /// Returns an item's processor chain: the one of its list entry, then the one chosen for all.
    func chain(of item: ItemID) -> any ImageProcessor {
        let own = feed.process(of: item).flatMap { try? ProcessorGrammar.parse($0) }
        return own.map { $0 |> processor } ?? processor
    }

    /// Returns the same chain followed by downsampling to a box.
    func chain(of item: ItemID, within box: PixelSize) -> any ImageProcessor {
        chain(of: item) |> DownsamplingImageProcessor(size: box)
    }

    func chainText(of item: ItemID) -> String {
        [feed.process(of: item) ?? "", processorText].filter { !$0.isEmpty }.joined(separator: " |> ")
    }

    /// Returns the options for a picture within a box.
    func options(_ item: ItemID, _ box: PixelSize, priority: Double) -> ImageOptions {
        var options = library.options(processor: chain(of: item, within: box))
        options.download.priority = priority
        options.download.isNetworkConstrained = isLowData
        return feed.options(options, for: item)
    }

    /// Returns the options for a picture in full resolution.
    func wholeOptions(_ item: ItemID) -> ImageOptions {
        feed.options(library.options(processor: chain(of: item)), for: item)
    }

    /// The options for pictures that are not shown yet.
    var prefetchOptions: ImageOptions {
        var options = library.options()
        options.download.priority = 0.25
        options.download.isNetworkConstrained = isLowData
        // A damaged picture is not stored, so that it fails here; when it is selected, its good part is shown.
        options.process.limits.allowsDamage = false
        return options
    }
}
