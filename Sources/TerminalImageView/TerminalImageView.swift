import AlcedoScreen
import FoundationEssentials
import ImageLoading
import Raster
import Retrying
import TerminalGraphics

/// A rectangle of a terminal that shows one image at a time, with all that belongs to it.
///
/// The placeholder comes first, then the indicator over it, partial images of a progressive JPEG, the transition and the
/// image, which plays if it is an animation. A newer request replaces an older one, whose result is not shown.
/// ```swift
/// let view = TerminalImageView(
///     in: Rect(column: 0, row: 0, columns: 60, rows: 20),
///     encoder: PictureEncoder(protocol: .sixel(SixelLimits()), cell: CellSize(ofTerminal: 1) ?? .fallback),
///     pipeline: pipeline, indicator: ActivityIndicator()
/// ) { bytes in try? FileHandle.standardOutput.write(contentsOf: bytes) }
/// try await view.setImage(with: url, options: [.processor(.blur(2)), .transition(.fade(0.3))])
/// ```
/// The view writes inside its rectangle only, and moves the cursor. Your program owns the terminal: it chooses the
/// protocol, hides the cursor, and restores the screen. The rectangle must leave out the screen's last row, because
/// terminals scroll when a sixel picture reaches it.
@preconcurrency @MainActor
open class TerminalImageView {
    /// The cells of the view; `resize(to:)` changes them.
    public private(set) var rect: Rect
    /// The pipeline that loads the images; its default options apply.
    package let pipeline: ImagePipeline
    /// The encoder for the terminal.
    package let encoder: PictureEncoder
    /// The content until a part of the image is loaded; nothing by default.
    public var placeholder: any Placeholder
    /// The indicator of a running load; none by default.
    public var indicator: any Indicator
    /// The image in the view, complete or partial; nil if there is none.
    ///
    /// A new value ends a running load and is drawn without a transition.
    public var image: Image? {
        get { shown }
        set {
            let number = begin(keepsImage: false)
            shown = newValue
            guard let newValue else { return erase() }
            Task { await show(newValue, .none, ImageOptions(), number) }
        }
    }
    /// The colour of cells without an image; the terminal's own if nil, the default.
    public var backgroundColor: Color? {
        didSet { if shown == nil, !isHidden { erase() } }
    }
    /// Whether the view draws nothing; false by default.
    public var isHidden = false {
        didSet {
            if isHidden, !isBlank { erase() }
            if !isHidden { redraw() }
        }
    }
    /// How an image fills the view, also one that is smaller; `.fill` cuts off what is outside.
    ///
    /// With nil, the default, a large image is scaled down to fit, and a small one keeps its size.
    public var contentMode: FitMode? {
        didSet { if contentMode != oldValue { resize(to: rect) } }
    }
    /// Receives the events of the newest request's load, such as its progress; nil by default.
    public var onEvent: ((LoadEvent) -> Void)?
    /// What another module keeps with the view.
    package var companion: AnyObject?

    private var shown: Image?
    /// Whether the view has drawn nothing since it was erased.
    private var isBlank = true
    /// The options of the image, whose processors its frames pass, too.
    private var imageOptions = ImageOptions()
    private let clock: RunClock
    private let write: @MainActor ([UInt8]) -> Void
    /// The number of the newest request.
    package private(set) var request = 0
    /// The progress that the indicator shows.
    package var progress = DownloadProgress(received: 0, total: nil)
    private var load: (task: Task<Result<ImageResult, ImageError>, Never>, key: String)?
    /// An older load of the same source, which runs until the new one has joined its transfer.
    private var joined: Task<Result<ImageResult, ImageError>, Never>?
    /// Draws what moves by itself: the indicator of a load, or an animation.
    private var motion: Task<Void, Never>?
    private var drawn: (picture: EncodedPicture, column: Int, row: Int)?

    /// Creates an empty view, which draws nothing yet.
    ///
    /// - Parameters:
    ///   - rect: The cells of the view, without the screen's last row.
    ///   - clock: Times indicators, transitions and animations.
    ///   - write: Writes bytes to the terminal.
    public init(
        in rect: Rect, encoder: PictureEncoder, pipeline: ImagePipeline,
        placeholder: any Placeholder = BlankPlaceholder(), indicator: any Indicator = NoIndicator(),
        clock: any Clock<Duration> = ContinuousClock(), write: @escaping @MainActor ([UInt8]) -> Void
    ) {
        (self.rect, self.encoder, self.pipeline, self.placeholder) = (rect, encoder, pipeline, placeholder)
        self.indicator = indicator
        self.clock = RunClock(clock)
        self.write = write
    }

    /// Whether a load runs.
    public var isLoading: Bool { load != nil }

    /// Loads an image, scales it down to the view, and shows it; returns when it is drawn.
    ///
    /// - Parameters:
    ///   - source: The source; nil removes the image.
    ///   - newPlaceholder: The placeholder from now on; nil, the default, keeps the view's.
    ///   - options: Options that are added to the pipeline's; the display options apply, too.
    /// - Throws: The error of the load. `.imageSetting(.emptySource)` if there is no source, and
    ///   `.imageSetting(.notCurrentSourceTask)` if a newer request replaced this one.
    @discardableResult
    public func setImage(
        with source: Source?, placeholder newPlaceholder: (any Placeholder)? = nil, options: [ImageOptionsItem] = []
    ) async throws(ImageError) -> ImageResult {
        if let newPlaceholder { placeholder = newPlaceholder }
        let options = pipeline.defaultOptions.applying(options)
        let number = begin(
            keepsImage: options.display.keepCurrentImageWhileLoading && source != nil, joining: source?.cacheKey)
        guard let source else {
            await drawPlaceholder(nil, number)
            throw .imageSetting(.emptySource)
        }
        let result = await loaded(source, options, number)
        guard number == request else { throw .imageSetting(.notCurrentSourceTask) }
        load = nil
        endJoined()
        stopMotion()
        switch result {
        case .success(let value):
            await show(value.image, options.display.transition(from: value.cacheType), options, number)
            guard number == request else { throw .imageSetting(.notCurrentSourceTask) }
            return value
        case .failure(let error):
            await showFailure(options, source, number)
            throw error
        }
    }

    /// Loads the image of a URL, another resource or a provider and shows it; see the method for a source.
    @_disfavoredOverload @discardableResult
    public func setImage(
        with source: (any SourceConvertible)?, placeholder: (any Placeholder)? = nil,
        options: [ImageOptionsItem] = []
    ) async throws(ImageError) -> ImageResult {
        try await setImage(with: source?.convertToSource(), placeholder: placeholder, options: options)
    }

    /// Cancels the running load; the placeholder or the kept image stays.
    public func cancelDownloadTask() {
        load?.task.cancel()
        endJoined()
    }

    /// Cancels the running load and erases the view.
    public func clear() {
        _ = begin(keepsImage: false)
        erase()
    }

    /// Moves the view to other cells and draws its image there.
    public func resize(to rect: Rect) {
        if !isBlank { erase() }
        self.rect = rect
        redraw()
    }

    /// Draws the image again, for example after the terminal's screen was cleared; a load continues.
    public func redraw() {
        drawn = nil
        guard let shown else { return backgroundColor == nil ? () : erase() }
        let number = request
        Task { await draw(shown.pixels, contentMode, for: number) }
    }

    /// Shows an image with a transition, ends the request before, and returns when the image is drawn.
    package func show(_ image: Image, with transition: ImageTransition, options: ImageOptions) async {
        await show(image, transition, options, begin(keepsImage: true))
    }

    /// Draws an indicator over the view until `stopIndicator()` or the next image.
    package func startIndicator(_ indicator: any Indicator) {
        self.indicator = indicator
        stopMotion()
        motion = Task { [weak self, clock, request] in await Self.indicate({ self }, clock, request) }
    }

    /// Removes the indicator and draws the image again.
    package func stopIndicator() {
        stopMotion()
        erase()
        redraw()
    }

    // MARK: - Loading

    /// Ends the request before and returns the number of the new one.
    private func begin(keepsImage: Bool, joining key: String? = nil) -> Int {
        endJoined()
        if let load, load.key == key { joined = load.task } else { load?.task.cancel() }
        load = nil
        stopMotion()
        request += 1
        progress = DownloadProgress(received: 0, total: nil)
        if !keepsImage { shown = nil }
        return request
    }

    private func endJoined() {
        joined?.cancel()
        joined = nil
    }

    private func stopMotion() {
        motion?.cancel()
        motion = nil
    }

    private func loaded(
        _ source: Source, _ options: ImageOptions, _ number: Int
    ) async -> Result<ImageResult, ImageError> {
        var request = options
        // The view may get another size, which must not need another transfer.
        request.cache.cacheOriginalImage = !options.cache.cacheMemoryOnly
        if !box.isEmpty {
            let chain = options.process.processor |> scaler
            request.process.processor = chain
        }
        let load = Task { [pipeline, request] () -> Result<ImageResult, ImageError> in
            do throws(ImageError) {
                return .success(
                    try await pipeline.image(for: source, options: request) { [weak self] event in
                        self?.receive(event, number)
                    })
            } catch { return .failure(error) }
        }
        self.load = (load, source.cacheKey)
        motion = waiting(for: source, number)
        return await withTaskCancellationHandler {
            await load.value
        } onCancel: {
            load.cancel()
        }
    }

    private func receive(_ event: LoadEvent, _ number: Int) {
        guard number == request else { return }
        endJoined()
        onEvent?(event)
        switch event {
        case .progress(let progress): self.progress = progress
        case .partial(let partial):
            stopMotion()
            shown = partial
            motion = Task { await draw(partial.pixels, contentMode, quality: .fast, for: number) }
        default: break
        }
    }

    /// Shows the placeholder and then the indicator, unless the image comes within 16 ms, as from memory.
    private func waiting(for source: Source, _ number: Int) -> Task<Void, Never> {
        // Does not keep the view: when it is gone, nothing is drawn any more.
        Task { [weak self, clock] in
            guard await Self.rests(.milliseconds(16), clock), let isKept = self.map({ $0.shown != nil }) else { return }
            if !isKept { await self?.drawPlaceholder(source, number) }
            await Self.indicate({ self }, clock, number)
        }
    }

    /// Draws the indicator's frames until the task is cancelled or the view is gone.
    private static func indicate(_ view: @MainActor () -> TerminalImageView?, _ clock: RunClock, _ number: Int) async {
        let start = clock.now()
        var drawn = PlaceholderContent.nothing
        while let (content, interval) = view()?.indicatorFrame(after: clock.now() - start) {
            if content != drawn { await view()?.draw(content, for: number) }
            drawn = content
            guard await rests(interval, clock) else { return }
        }
    }

    private func drawPlaceholder(_ source: Source?, _ number: Int) async {
        erase()
        await draw(placeholder.content(for: placeholderContext(source)), for: number)
    }

    private func indicatorFrame(after elapsed: Duration) -> (content: PlaceholderContent, interval: Duration) {
        let context = IndicatorContext(
            elapsed: elapsed, received: progress.received, total: progress.total, grid: rect.size, cell: encoder.cell)
        return (indicator.frame(context), indicator.interval ?? .milliseconds(100))
    }

    // MARK: - Showing

    private func show(_ new: Image, _ transition: ImageTransition, _ options: ImageOptions, _ number: Int) async {
        guard number == request else { return }
        let old = shown?.pixels
        (shown, imageOptions) = (new, options)
        if transition.isVisible { await run(transition, from: old, to: new.pixels, number) }
        await draw(new.pixels, contentMode, for: number)
        guard number == request, let animation = new.animation else { return }
        motion = playing(animation, options, number)
    }

    private func run(_ transition: ImageTransition, from old: PixelBuffer?, to new: PixelBuffer, _ number: Int) async {
        // Frames show the background, too.
        let ground = PixelBuffer(size: PixelSize(width: 32, height: 32), filledWith: encoder.background)
        let palette = await encoder.palette(for: [new, ground] + (old.map { [$0] } ?? []))
        let start = clock.now()
        while number == request, clock.now() - start < transition.duration {
            let frame = transition.effect.frame(
                from: old, to: new, progress: (clock.now() - start) / transition.duration,
                background: encoder.background)
            await draw(frame, contentMode, quality: .fast, palette: palette, for: number)
            guard await Self.rests(.milliseconds(16), clock) else { return }
        }
    }

    private func playing(_ animation: Animation, _ options: ImageOptions, _ number: Int) -> Task<Void, Never> {
        Task { [weak self, clock, box] in
            let frames = AnimationFrames(
                animation, within: box, processor: options.process.processor,
                preloadsAllFrames: options.process.animation.preloadsAllFrames, limits: options.process.limits)
            let timeline = AnimationTimeline(animation)
            let start = clock.now()
            while let next = timeline.nextChange(after: clock.now() - start) {
                guard await Self.rests(max(.milliseconds(10), next + start - clock.now()), clock),
                    let frame = try? await frames.frame(at: timeline.position(at: clock.now() - start).frame)
                else { return }
                guard let self, number == request else { return }
                await draw(frame, contentMode, quality: .fast, for: number)
            }
        }
    }

    private func showFailure(_ options: ImageOptions, _ source: Source, _ number: Int) async {
        switch options.display.onFailureImage {
        case .unset:
            // The indicator may have been drawn over the image or the placeholder.
            guard let shown else { return await drawPlaceholder(source, number) }
            await show(shown, .none, imageOptions, number)
        case .none:
            shown = nil
            erase()
        case .image(let failed):
            shown = failed
            await draw(failed.pixels, contentMode, for: number)
        }
    }

    // MARK: - Drawing

    package var box: PixelSize { encoder.cell.pixels(of: rect) }

    /// The last step of a load; `fitted` enlarges a small image for `.fit` and cuts off edges.
    private var scaler: any ImageProcessor {
        guard let contentMode, contentMode != .fit else { return DownsamplingImageProcessor(size: box) }
        return ResizingImageProcessor(referenceSize: box, mode: contentMode)
    }

    /// Returns an image's pixels as they are shown.
    private func fitted(_ pixels: PixelBuffer, _ mode: FitMode?) -> PixelBuffer {
        let target = pixels.size.scaled(to: box, mode: mode ?? .fit, upscale: mode != nil)
        let scaled = pixels.boxScaled(to: target)
        let kept = PixelSize(width: min(target.width, box.width), height: min(target.height, box.height))
        guard kept != target else { return scaled }
        let (left, top) = ((target.width - kept.width) / 2, (target.height - kept.height) / 2)
        return scaled.rearranged(to: kept) { ($0 + left, $1 + top) }
    }

    private func placeholderContext(_ source: Source?) -> PlaceholderContext {
        let url = source?.url
        return PlaceholderContext(
            name: SafeText.clean(url?.lastPathComponent ?? ""), place: SafeText.clean(url?.host() ?? ""),
            grid: rect.size, cell: encoder.cell)
    }

    private func draw(_ content: PlaceholderContent, for number: Int) async {
        switch content {
        case .nothing: return
        case .text(let lines): if !isHidden { write(lines) }
        case .picture(let pixels): await draw(pixels, nil, quality: .fast, for: number)
        }
    }

    /// Encodes and draws pixels in the middle of the view, unless a newer request began meanwhile.
    private func draw(
        _ pixels: PixelBuffer, _ mode: FitMode?, quality: Quality = .best, palette: Palette? = nil, for number: Int
    ) async {
        let fitting = fitted(pixels, mode)
        guard !fitting.size.isEmpty else { return }
        let picture = await encoder.encode(fitting, quality: quality, palette: palette)
        guard number == request, !Task.isCancelled, !isHidden else { return }
        let place = rect.centered(picture.grid)
        let old = drawn
        let isSamePlace = old.map { $0.picture.grid == picture.grid } ?? false
        let bytes = picture.bytes(atColumn: place.column, row: place.row)
        var output = Self.beginUpdate + (isSamePlace ? [] : blank) + bytes
        // Equal bytes identify the same picture, which must stay.
        if let old, old.picture.bytes(atColumn: old.column, row: old.row) != bytes {
            output += old.picture.erasing(atColumn: old.column, row: old.row)
        }
        (drawn, isBlank) = ((picture, place.column, place.row), false)
        write(output + Self.endUpdate)
    }

    /// Writes lines of text in the middle of the view.
    private func write(_ lines: [String]) {
        let lines = lines.prefix(rect.rows).map { SafeText.clean($0) }
        var output = ""
        for (index, line) in lines.enumerated() {
            var (text, width) = ("", 0)
            for character in line where width + CellWidth.of(character) <= rect.columns {
                text.append(character)
                width += CellWidth.of(character)
            }
            let row = rect.row + (rect.rows - lines.count) / 2 + index
            output += "\u{1B}[\(row + 1);\(rect.column + 1)H" + String(repeating: " ", count: rect.columns)
            output += "\u{1B}[\(row + 1);\(rect.column + (rect.columns - width) / 2 + 1)H\(text)"
        }
        isBlank = false
        write(Array(output.utf8))
    }

    private func erase() {
        guard !rect.isEmpty else { return }
        write((drawn.map { $0.picture.erasing(atColumn: $0.column, row: $0.row) } ?? []) + blank)
        (drawn, isBlank) = (nil, backgroundColor == nil || isHidden)
    }

    /// The bytes that fill the view with spaces.
    private var blank: [UInt8] {
        var spaces = String(repeating: " ", count: rect.columns)
        if let color = backgroundColor, !isHidden {
            spaces = "\u{1B}[48;2;\(color.red);\(color.green);\(color.blue)m\(spaces)\u{1B}[49m"
        }
        return (0..<rect.rows).flatMap { Array("\u{1B}[\(rect.row + $0 + 1);\(rect.column + 1)H\(spaces)".utf8) }
    }

    /// Synchronized updates, which terminals without them ignore.
    private static let beginUpdate = Array("\u{1B}[?2026h".utf8)
    private static let endUpdate = Array("\u{1B}[?2026l".utf8)

    // MARK: - Time

    /// Waits, and returns whether the task goes on.
    private static func rests(_ duration: Duration, _ clock: RunClock) async -> Bool {
        // The task may have been cancelled after its time had come.
        await clock.wait(until: clock.now() + duration) && !Task.isCancelled
    }
}
