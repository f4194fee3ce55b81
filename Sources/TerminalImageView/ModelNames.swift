import ImageLoading
import TerminalGraphics

// What is typed by habit of Kingfisher: the compiler says what to write here.

extension TerminalImageView {
    @available(*, unavailable, message: "call setImage(with:) on the view, or import KingfisherCompatibility")
    public var kf: KingfisherWrapper { KingfisherWrapper() }
}

@available(*, unavailable, message: "import KingfisherCompatibility")
public struct KingfisherWrapper {
    public func setImage(
        with source: Any?, placeholder: (any Placeholder)? = nil, options: [ImageOptionsItem]? = nil,
        completionHandler: ((Result<ImageResult, ImageError>) -> Void)? = nil
    ) {}

    public func cancelDownloadTask() {}
}
