import Raster

/// The first steps of a chain that the decoder of a JPEG may do: a resize, and the crop after it.
///
/// libjpeg decodes at a fraction of the size, and only the kept part of the result is computed. The steps still run
/// afterwards; they find a picture of the right size. So the result is the same wherever a chain is applied.
package struct LeadingSteps: Hashable, Sendable {
    private let resize: ResizingImageProcessor
    private let crop: CroppingImageProcessor?

    /// Returns the steps of a chain; nil if it begins with another one.
    package init?(_ processor: any ImageProcessor) {
        let steps = processor.steps.drop { $0.decodePage != nil }
        guard let resize = steps.first as? ResizingImageProcessor else { return nil }
        self.resize = resize
        crop = steps.dropFirst().first as? CroppingImageProcessor
    }

    /// Reads ``text``; nil if it is not one.
    package init?(_ text: String) {
        guard let processor = try? ProcessorGrammar.parse(text) else { return nil }
        self.init(processor)
    }

    /// The steps in the form of ``ProcessorGrammar``.
    package var text: String { resize.identifier + (crop.map { "|>" + $0.identifier } ?? "") }

    /// Returns the size that a picture is scaled down to and the part of the result that is kept; nil unless it becomes
    /// smaller, and unless the steps change nothing when they are repeated.
    func plan(for size: PixelSize) -> (target: PixelSize, part: PixelRect)? {
        let target = resize.target(of: size)
        guard !target.isEmpty, target != size, target.width <= size.width, target.height <= size.height,
            resize.target(of: target) == target
        else { return nil }
        let part = crop.map { $0.part(of: target) } ?? PixelRect(target)
        let isKept = !part.size.isEmpty && resize.target(of: part.size) == part.size
        return (target, isKept ? part : PixelRect(target))
    }
}

extension DecodeLimits {
    /// Returns the limits with what a chain leaves to the decoder besides its box: the page, and its first steps.
    package func preparing(_ processor: any ImageProcessor) -> DecodeLimits {
        var limits = self
        limits.page = processor.steps.first?.decodePage ?? page
        limits.leadingSteps = LeadingSteps(processor)
        return limits
    }
}
