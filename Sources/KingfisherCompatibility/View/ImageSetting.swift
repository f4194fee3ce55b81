import Foundation
import ImageLoading
import TerminalImageView

/// A view that shows images from sources, or its `kf`.
@MainActor public protocol ImageSetting {
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
        load(source, placeholder, options, progressBlock, completionHandler)
    }

    /// Loads the image of a source and shows it, without telling the progress; see the variant for a source.
    @discardableResult
    public func setImage(
        with source: Source?, placeholder: (any Placeholder)? = nil, options: KingfisherOptionsInfo? = nil,
        completionHandler: ImageCompletionHandler? = nil
    ) -> DownloadTask? {
        load(source, placeholder, options, nil, completionHandler)
    }

    /// Loads the image of a resource or a provider and shows it; see the variant for a source.
    @discardableResult
    public func setImage(
        with source: (any SourceConvertible)?, placeholder: (any Placeholder)? = nil,
        options: KingfisherOptionsInfo? = nil,
        progressBlock: DownloadProgressBlock?, completionHandler: ImageCompletionHandler? = nil
    ) -> DownloadTask? {
        load(source?.convertToSource(), placeholder, options, progressBlock, completionHandler)
    }

    /// Loads the image of a resource or a provider and shows it, without telling the progress.
    @discardableResult
    public func setImage(
        with source: (any SourceConvertible)?, placeholder: (any Placeholder)? = nil,
        options: KingfisherOptionsInfo? = nil, completionHandler: ImageCompletionHandler? = nil
    ) -> DownloadTask? { load(source?.convertToSource(), placeholder, options, nil, completionHandler) }

    private func load(
        _ source: Source?, _ placeholder: (any Placeholder)?, _ options: KingfisherOptionsInfo?,
        _ progressBlock: DownloadProgressBlock?, _ completionHandler: ImageCompletionHandler?
    ) -> DownloadTask? {
        imageView.kf.setImage(
            with: source, placeholder: placeholder, parsedOptions: KingfisherManager.shared.parsed(options),
            progressBlock: progressBlock, completionHandler: completionHandler)
    }
}
