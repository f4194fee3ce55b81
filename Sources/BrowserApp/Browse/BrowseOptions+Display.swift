import AlcedoBrowserCore
import AlcedoConfig
import FoundationEssentials
import ImageLoading
import Raster
import TerminalGraphics

extension BrowseOptions {
    /// Creates the options from the settings.
    ///
    /// `hold` stores the failure picture and returns its facts.
    init(_ settings: BrowserSettings, hold: (Image) -> ShownPicture) {
        self.init(isASCII: settings.isASCII, prefetches: settings[.prefetches])
        reducesMotion = !settings[.transitions] || settings[.transitionWhen] == .never
        slot.forcesTransition = settings[.transitionWhen] == .always
        answerTime = Int((settings[.timeout] > .zero ? settings[.timeout] : DownloadLimits().head).components.seconds)
        // Keeps the old picture until the indicator is due, so that cached pictures never flash a placeholder.
        slot.holdDuration = slot.indicatorDelay
        keyMap = settings.library.configuration.keys.map
        faults = settings.faults
        (processor, compares) = (settings[.process], settings.compares)
        prefetchesAll = settings[.prefetchesAll]
        slideTime = settings[.slideTime].milliseconds
        processors = ProcessorMenu.offered
        let names = Transition.allCases.map(\.rawValue)
        let first = names.firstIndex(of: settings.display.transition.effect.rawValue) ?? 0
        transitions = Array(names[first...] + names[..<first])
        indicator = settings.indicator.style
        if let interval = settings.indicator.indicator.interval {
            slot.indicatorInterval = max(20, interval.milliseconds)
        }
        hasOwnPlaceholder = settings.placeholder != nil
        adopt(settings.display, hold: hold)
    }

    /// Applies the display options of the library.
    ///
    /// `hold` stores the failure picture and returns its facts.
    ///
    /// If no failure picture is set, a card with the reason is shown.
    mutating func adopt(_ display: DisplayOptions, hold: (Image) -> ShownPicture) {
        let animates = display.transition.isVisible && !reducesMotion
        slot.transitionDuration = animates ? max(0, display.transition.duration.milliseconds) : 0
        slot.forcesTransition = slot.forcesTransition || display.forceTransition
        slot.keepsCurrent = display.keepCurrentImageWhileLoading
        if display.loadDiskFileSynchronously { slot.holdDuration = max(slot.holdDuration, 16) }
        slot.failure =
            switch display.onFailureImage {
            case .unset: .card
            case .none: .nothing
            case .image(let image): .picture(hold(image))
            }
    }
}

extension PicturePresenter {
    /// Stores the failure picture for the lifetime of the presenter.
    func addForFailures(_ image: Image) -> ShownPicture {
        ShownPicture(
            picture: add(DecodedPicture(image.pixels, name: "failure")), size: image.size, originalSize: image.size,
            format: image.format.rawValue, bytes: image.byteCount, frames: 1, origin: .memory, milliseconds: 0,
            processor: "")
    }
}
