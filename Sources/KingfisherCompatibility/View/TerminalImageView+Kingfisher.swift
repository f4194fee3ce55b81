import AlcedoHTTPRequests
import Foundation
import ImageLoading
import TerminalGraphics
import TerminalImageView

/// Receives the outcome of a view's request, on the main actor.
public typealias ImageCompletionHandler = @MainActor @Sendable (Result<RetrieveImageResult, KingfisherError>) -> Void

/// The state that the library keeps with a view.
@MainActor private final class ViewState {
    var taskIdentifier: Source.Identifier.Value?
    var task: DownloadTask?
    var indicatorType = IndicatorType.none
    var indicator: (any Indicator)?
    var placeholder: (any Placeholder)?
}

@MainActor
extension KingfisherWrapper where Base: TerminalImageView {
    private var state: ViewState {
        if let state = base.companion as? ViewState { return state }
        let state = ViewState()
        base.companion = state
        return state
    }

    /// The number of the running request; nil if none runs.
    @preconcurrency public var taskIdentifier: Source.Identifier.Value? { state.taskIdentifier }

    /// The indicator of running requests; none by default.
    @preconcurrency public var indicatorType: IndicatorType {
        get { state.indicatorType }
        nonmutating set {
            state.indicatorType = newValue
            state.indicator =
                switch newValue {
                case .none: nil
                case .activity: DrawnIndicator(on: base) { ActivityIndicator() }
                case .image(let data): DrawnIndicator(on: base) { try? await PictureIndicator(imageData: data) }
                case .custom(let indicator): indicator
                }
            if case .custom(let indicator) = newValue, indicator.view !== base { place(indicator) }
        }
    }

    /// The indicator; nil if there is none.
    @preconcurrency public var indicator: (any Indicator)? { state.indicator }

    /// The placeholder in the view; nil if there is none.
    ///
    /// A new one is shown at once; without one the view is empty.
    @preconcurrency public var placeholder: (any Placeholder)? {
        get { state.placeholder }
        nonmutating set {
            state.placeholder?.remove(from: base)
            state.placeholder = newValue
            if let newValue { newValue.add(to: base) } else { base.image = nil }
        }
    }

    /// Does the same as `setImage(with:)`: Kingfisher's manual has both names.
    @preconcurrency @discardableResult
    public func set(with source: (any SourceConvertible)?) -> DownloadTask? { setImage(with: source) }

    /// Cancels the running request, whose handler gets an error; the placeholder stays.
    @preconcurrency public func cancelDownloadTask() { state.task?.cancel() }

    func setImage(
        with source: Source?, placeholder: (any Placeholder)?, parsedOptions options: KingfisherParsedOptionsInfo,
        progressBlock: DownloadProgressBlock?, completionHandler: ImageCompletionHandler?
    ) -> DownloadTask? {
        guard let source else {
            self.placeholder = placeholder
            state.taskIdentifier = nil
            completionHandler?(.failure(.imageSettingError(reason: .emptySource)))
            return nil
        }
        let isEmpty = base.image == nil && state.placeholder == nil
        if !options.keepCurrentImageWhileLoading || isEmpty { self.placeholder = placeholder }
        let number = Source.Identifier.next()
        state.taskIdentifier = number
        base.progress = DownloadProgress(received: 0, total: nil)
        start(state.indicator)
        let view: TerminalImageView = base
        let load = ImageLoad(source, options, taskUpdated: nil) { event in
            DispatchQueue.main.async {
                MainActor.assumeIsolated { view.kf.receive(event, number, options, progressBlock) }
            }
        }
        let task = load.start { result in
            CallbackQueue.mainCurrentOrAsync.execute {
                MainActor.assumeIsolated { view.kf.finish(result, source, number, options, completionHandler) }
            }
        }
        if state.taskIdentifier == number { state.task = task }
        return task
    }
}

@MainActor
extension KingfisherWrapper where Base: TerminalImageView {
    /// Hides an indicator and lays it over the view as it wants.
    private func place(_ indicator: any Indicator) {
        indicator.view.isHidden = true
        switch indicator.sizeStrategy(in: base) {
        case .intrinsicSize: break
        case .full: indicator.view.resize(to: base.rect)
        case .size(let size):
            indicator.view.resize(to: base.rect.centered(base.encoder.cell.cells(covering: PixelSize(size))))
        }
    }

    private func start(_ indicator: (any Indicator)?) {
        guard let indicator else { return }
        if indicator.view !== base { indicator.view.isHidden = false }
        indicator.startAnimatingView()
    }

    private func stop(_ indicator: (any Indicator)?) {
        guard let indicator else { return }
        indicator.stopAnimatingView()
        if indicator.view !== base { indicator.view.isHidden = true }
    }

    fileprivate func receive(
        _ event: LoadEvent, _ number: Source.Identifier.Value, _ options: KingfisherParsedOptionsInfo,
        _ progressBlock: DownloadProgressBlock?
    ) {
        guard state.taskIdentifier == number else { return }
        switch event {
        case .progress(let progress):
            base.progress = progress
            if let total = progress.total { progressBlock?(Int64(progress.received), Int64(total)) }
        case .partial(let image):
            switch options.progressiveJPEG?.onImageUpdated(image) ?? .default {
            case .default: base.image = image
            case .keepCurrent: break
            case .replace(let other): base.image = other
            }
        default: break
        }
    }

    fileprivate func finish(
        _ result: Result<RetrieveImageResult, KingfisherError>, _ source: Source, _ number: Source.Identifier.Value,
        _ options: KingfisherParsedOptionsInfo, _ completionHandler: ImageCompletionHandler?
    ) {
        guard state.taskIdentifier == number else {
            var failure: KingfisherError?
            if case .failure(let error) = result { failure = error }
            let reason = KingfisherError.ImageSettingErrorReason.notCurrentSourceTask(
                result: try? result.get(), error: failure, source: source)
            completionHandler?(.failure(.imageSettingError(reason: reason)))
            return
        }
        stop(state.indicator)
        (state.task, state.taskIdentifier) = (nil, nil)
        guard case .success(let value) = result else {
            if let image = options.onFailureImage {
                placeholder = nil
                base.image = image
            }
            completionHandler?(result)
            return
        }
        let transition = value.cacheType == .none || options.forceTransition ? options.transition : .none
        guard transition.isVisible else {
            placeholder = nil
            base.image = value.image
            completionHandler?(result)
            return
        }
        // The transition begins with an image as the placeholder, which it replaces.
        if !(state.placeholder is Image) { state.placeholder?.remove(from: base) }
        state.placeholder = nil
        let imageOptions = options.imageOptions
        Task {
            await base.show(value.image, with: transition, options: imageOptions)
            completionHandler?(result)
        }
    }
}

/// A view that shows images from sources, or its `kf`.
@preconcurrency @MainActor public protocol ImageSetting {
    /// The view.
    var imageView: TerminalImageView { get }
}

extension TerminalImageView: ImageSetting {
    /// The view itself.
    public var imageView: TerminalImageView { self }
}

extension KingfisherWrapper: ImageSetting where Base: TerminalImageView {
    /// The view.
    public var imageView: TerminalImageView { base }
}

extension ImageSetting {
    /// Loads an image and shows it; a newer request of the view makes an older one end with an error.
    ///
    /// - Parameters:
    ///   - source: The source; nil shows the placeholder only, and is an error.
    ///   - placeholder: What is shown until the image is there.
    ///   - options: Options that are added to the shared manager's.
    ///   - completionHandler: Receives the outcome on the main actor, after a transition.
    /// - Returns: The task; nil if a cache has the image.
    @discardableResult
    public func setImage(
        with source: Source?, placeholder: (any Placeholder)? = nil, options: KingfisherOptionsInfo? = nil,
        progressBlock: DownloadProgressBlock?, completionHandler: ImageCompletionHandler? = nil
    ) -> DownloadTask? {
        imageView.kf.setImage(
            with: source, placeholder: placeholder, parsedOptions: KingfisherManager.shared.parsed(options),
            progressBlock: progressBlock, completionHandler: completionHandler)
    }

    /// Loads the image of a source and shows it, without telling the progress; see the variant for a source.
    @discardableResult
    public func setImage(
        with source: Source?, placeholder: (any Placeholder)? = nil, options: KingfisherOptionsInfo? = nil,
        completionHandler: ImageCompletionHandler? = nil
    ) -> DownloadTask? {
        setImage(
            with: source, placeholder: placeholder, options: options, progressBlock: nil,
            completionHandler: completionHandler)
    }

    /// Loads the image of a resource or a provider and shows it; see the variant for a source.
    @discardableResult
    public func setImage(
        with source: (any SourceConvertible)?, placeholder: (any Placeholder)? = nil,
        options: KingfisherOptionsInfo? = nil,
        progressBlock: DownloadProgressBlock?, completionHandler: ImageCompletionHandler? = nil
    ) -> DownloadTask? {
        setImage(
            with: source?.convertToSource(), placeholder: placeholder, options: options,
            progressBlock: progressBlock, completionHandler: completionHandler)
    }

    /// Loads the image of a resource or a provider and shows it, without telling the progress.
    @discardableResult
    public func setImage(
        with source: (any SourceConvertible)?, placeholder: (any Placeholder)? = nil,
        options: KingfisherOptionsInfo? = nil, completionHandler: ImageCompletionHandler? = nil
    ) -> DownloadTask? {
        setImage(
            with: source?.convertToSource(), placeholder: placeholder, options: options, progressBlock: nil,
            completionHandler: completionHandler)
    }
}
