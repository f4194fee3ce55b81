import AlcedoBrowserCore
import AlcedoComparison
import AlcedoScreen
import ImageLoading
import Raster
import TerminalGraphics

/// Loads two pictures in full resolution and shows them as one.
@MainActor
final class ComparisonLoading {
    /// Two decoded pictures, kept while views of them are shown.
    private struct Pair: Sendable {
        let names: [String]
        let first: Image
        let second: Image
        /// Both in the size of the larger one.
        var alike: Alike?

        /// The size of the larger picture.
        var size: PixelSize { first.size.area >= second.size.area ? first.size : second.size }
    }

    /// Two pictures of one size, at most 4096×4096, and how they differ.
    private struct Alike: Sendable {
        let first: PixelBuffer
        let second: PixelBuffer
        let difference: PictureDifference
    }

    /// A picture that cannot be loaded.
    private struct Failure: Error {
        let facts: FailureFacts
        let isCancelled: Bool

        /// - Parameter letter: A or B; nil if the failure concerns both.
        init(_ error: ImageError, of source: Source?, letter: String? = nil) {
            var title = error.title
            if let letter { title = "\(letter): \(title)" }
            let detail = source.map { FailureFacts(error, of: $0, attempts: 1).detail } ?? ""
            facts = FailureFacts(title: title, detail: detail, attempts: 1)
            isCancelled = error.isTaskCancelled
        }
    }

    private let context: BrowserContext
    private let presenter: PicturePresenter
    private var work: (id: RequestID, task: Task<Void, Never>)?
    private var pair: Pair?

    init(_ context: BrowserContext, presenter: PicturePresenter) {
        self.context = context
        self.presenter = presenter
    }

    /// Shows a comparison for a request of the slot; the measured differences follow.
    func begin(_ id: RequestID, _ comparison: PictureComparison, box: PixelSize, region: PictureRegion?) {
        work?.task.cancel()
        let task = Task {
            do throws(Failure) {
                try await perform(id, comparison, box: box, region: region)
            } catch {
                guard !error.isCancelled, !Task.isCancelled else { return }
                context.inbox.post(.slotFailed(id, error.facts))
            }
        }
        work = (id, task)
    }

    /// Cancels a request.
    func cancel(_ id: RequestID) { if work?.id == id { work?.task.cancel() } }

    /// Cancels what runs and forgets the pictures.
    func end() {
        work?.task.cancel()
        (work, pair) = (nil, nil)
    }

    private func perform(
        _ id: RequestID, _ comparison: PictureComparison, box: PixelSize, region: PictureRegion?
    ) async throws(Failure) {
        let start = RunClock.system.now()
        try await load(comparison)
        if comparison.view == .difference { try await measure() }
        guard let pair, !Task.isCancelled else { return }
        let pixels: PixelBuffer
        do throws(ImageError) {
            pixels = try await Self.draw(pair, comparison, box: box, region: region, on: presenter.background)
        } catch { throw Failure(error, of: nil) }
        let picture = DecodedPicture(pixels, name: "comparison")
        await presenter.prepare(picture)
        if Task.isCancelled { return }
        let facts = ShownPicture(
            picture: presenter.add(picture), size: pixels.size, originalSize: pair.size,
            format: pair.first.format.rawValue, bytes: pixels.bytes.count, frames: 1, origin: .memory,
            milliseconds: (RunClock.system.now() - start).milliseconds, processor: "")
        context.inbox.post(.slotPicture(id, facts))
        try await measure()
        guard let difference = self.pair?.alike?.difference, !Task.isCancelled else { return }
        context.inbox.post(
            .compared(
                ComparisonFacts(
                    first: comparison.first, second: comparison.second, firstSize: pair.first.size,
                    secondSize: pair.second.size, psnr: difference.psnr, ssim: difference.ssim,
                    amplification: difference.amplification)))
    }

    /// Loads both pictures with their processors, unless they are loaded already; of an animation, only the first
    /// frame.
    private func load(_ comparison: PictureComparison) async throws(Failure) {
        let names = [comparison.first, comparison.second].map {
            "\(context.listLoader.source($0)?.cacheKey ?? "")\n\(context.choices.chain(of: $0).identifier)"
        }
        if pair?.names == names { return }
        pair = nil
        context.inbox.post(.comparisonRead(0))
        let first = try await image(comparison.first, "A")
        context.inbox.post(.comparisonRead(1))
        let second = try await image(comparison.second, "B")
        context.inbox.post(.comparisonRead(2))
        if !Task.isCancelled { pair = Pair(names: names, first: first, second: second) }
    }

    private func image(_ item: ItemID, _ letter: String) async throws(Failure) -> Image {
        guard let source = context.listLoader.source(item) else {
            throw Failure(.request(.emptyRequest), of: nil, letter: letter)
        }
        var options = context.choices.wholeOptions(item)
        options.process.animation.onlyFirstFrame = true
        do throws(ImageError) {
            return try await context.library.pipeline.image(for: source, options: options).image
        } catch { throw Failure(error, of: source, letter: letter) }
    }

    /// Measures how the loaded pictures differ, unless that is known.
    private func measure() async throws(Failure) {
        guard let pair, pair.alike == nil else { return }
        do throws(ImageError) {
            let alike = try await Self.alike(pair)
            if self.pair?.names == pair.names { self.pair?.alike = alike }
        } catch { throw Failure(error, of: nil) }
    }

    @concurrent
    private static func alike(_ pair: Pair) async throws(ImageError) -> Alike? {
        let size = pair.size.scaled(to: PixelSize(width: 4096, height: 4096))
        let (first, second) = (try scaled(pair.first, to: size), try scaled(pair.second, to: size))
        return PictureDifference(first, second).map { Alike(first: first, second: second, difference: $0) }
    }

    private nonisolated static func scaled(_ image: Image, to size: PixelSize) throws(ImageError) -> PixelBuffer {
        guard image.size != size else { return image.pixels }
        return try ImageError.wrapping { () throws(CodecError) in
            try ResizingImageProcessor(referenceSize: size).process(image)
        }.pixels
    }

    @concurrent
    private static func draw(
        _ pair: Pair, _ comparison: PictureComparison, box: PixelSize, region: PictureRegion?, on background: Color
    ) async throws(ImageError) -> PixelBuffer {
        let whole = pair.size.scaled(to: comparison.part)
        func part(_ image: Image) async throws(ImageError) -> PixelBuffer {
            let pixels =
                if let region {
                    try await region.part(of: image, within: comparison.part).pixels
                } else {
                    try scaled(image, to: image.size.scaled(to: whole, upscale: true))
                }
            return pixels.checkered(around: background)
        }
        switch comparison.view {
        case .first: return try await part(pair.first)
        case .second: return try await part(pair.second)
        case .difference:
            guard let alike = pair.alike else { return PixelBuffer(size: whole, filledWith: background) }
            let pixels = PictureDifference.picture(
                alike.first, alike.second, amplifiedBy: alike.difference.amplification)
            return try await part(pair.first.with(pixels))
        case .beside:
            var canvas = PixelBuffer(size: box, filledWith: background)
            let (first, second) = (try await part(pair.first), try await part(pair.second))
            let (left, top) = (box.width - comparison.part.width, box.height - comparison.part.height)
            canvas.draw(first, centeredIn: comparison.part, left: 0, top: 0)
            canvas.draw(second, centeredIn: comparison.part, left: left, top: top)
            return canvas
        }
    }
}
