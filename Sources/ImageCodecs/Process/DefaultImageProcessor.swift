/// A processor that changes nothing; `|>` omits it on either side.
public struct DefaultImageProcessor: ImageProcessor {
    public init() {}
    public var identifier: String { "" }
    public var steps: [any ImageProcessor] { [] }
    public func process(_ image: Image) -> Image { image }
}
