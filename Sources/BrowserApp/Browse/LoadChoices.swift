import BrowserCore
import ImageLoading
import Raster

/// How items are loaded: as their list says, then as is chosen for all.
@MainActor
final class LoadChoices {
    private let library: Library
    private let feed: BrowserFeed
    /// Between source and preview.
    private var processor: any ImageProcessor
    /// The same as it was written.
    private(set) var processorText: String
    var isLowData = false

    init(library: Library, feed: BrowserFeed, settings: BrowserSettings) {
        self.library = library
        self.feed = feed
        (processor, processorText) = (settings.processor, settings.processorText)
    }

    /// A chain that cannot be read changes nothing.
    func setProcessor(_ chain: String) throws(ProcessorGrammar.Problem) {
        processor = try chain.isEmpty ? DefaultImageProcessor() : ProcessorGrammar.parse(chain)
        processorText = chain
    }

    /// What an item passes through: what its list says, then what is chosen for all.
    func chain(of item: ItemID) -> any ImageProcessor {
        let own = feed.process(of: item).flatMap { try? ProcessorGrammar.parse($0) }
        return own.map { $0 |> processor } ?? processor
    }

    /// The same within a box.
    func chain(of item: ItemID, within box: PixelSize) -> any ImageProcessor {
        chain(of: item) |> DownsamplingImageProcessor(size: box)
    }

    func chainText(of item: ItemID) -> String {
        [feed.process(of: item) ?? "", processorText].filter { !$0.isEmpty }.joined(separator: " |> ")
    }

    /// For a picture within a box.
    func options(_ item: ItemID, _ box: PixelSize, priority: Double) -> ImageOptions {
        var options = library.options(processor: chain(of: item, within: box))
        options.download.priority = priority
        options.download.isNetworkConstrained = isLowData
        return feed.options(options, for: item)
    }

    /// For every pixel there is.
    func wholeOptions(_ item: ItemID) -> ImageOptions {
        feed.options(library.options(processor: chain(of: item)), for: item)
    }

    /// For what nobody looks at yet.
    var prefetchOptions: ImageOptions {
        var options = library.options()
        options.download.priority = 0.25
        options.download.isNetworkConstrained = isLowData
        return options
    }
}
