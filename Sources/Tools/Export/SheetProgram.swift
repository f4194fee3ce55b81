import AlcedoBrowserCore
import AlcedoConfig
import AlcedoLists
import AlcedoPrefetch
import AlcedoScreen
import AlcedoSupport
import FoundationEssentials
import ImageLoading
import Raster
import TerminalGraphics

/// Writes a contact sheet: the pictures of lists, scaled down, in one picture.
package struct SheetProgram: Sendable {
    /// The distance between pictures, and from them to the edge, in pixels.
    private static let gap = 8
    /// The height of a caption in pixels.
    private static let captionHeight = 18
    private static let background = Color(red: 255, green: 255, blue: 255)
    /// The number of pictures that are loaded at once.
    private static let jobs = 8
    /// The most pixels of a sheet.
    private static let mostPixels = 100_000_000

    /// A picture to load.
    private struct Part: Sendable {
        let source: Source
        let options: ImageOptions
        let location: String
        let name: String
    }

    /// The picture and the caption of a place.
    private struct Content: Sendable {
        var picture: Result<PixelBuffer, ImageError>
        var caption: Result<PixelBuffer, ImageError>?
    }

    package var library = LibrarySettings()
    package var lists: [String] = []
    package var base: ListBase?
    /// The most pictures in a row; 6 by default.
    package var columns = 6
    /// The area of a picture in pixels; 200×200 by default.
    package var size = PixelSize(width: 200, height: 200)
    /// Whether the name of each picture stands below it.
    package var hasCaptions = false
    private let console: Console

    package init(console: Console = Console()) { self.console = console }

    /// Writes the file and returns the exit code: 0 all pictures are on it, 3 some failed, 4 none could be loaded.
    ///
    /// - Throws: `ProgramProblem` if the lists cannot be read, hold too many pictures, or the file cannot be written.
    package func run(to output: PictureFile) async throws(ProgramProblem) -> Int32 {
        let file = try output.checked()
        let sheet = try await ImageServices.open(library, console: console) { library throws(ProgramProblem) in
            try await self.sheet(from: library, for: output)
        }
        if let data = sheet.data { try file.write(data) }
        return sheet.code
    }

    private func sheet(
        from library: ImageServices, for output: PictureFile
    ) async throws(ProgramProblem) -> (data: Data?, code: Int32) {
        let (parts, failures) = try await readParts(library)
        guard !parts.isEmpty else { throw ProgramProblem("the lists hold no pictures") }
        var sheet = emptySheet(for: parts.count)
        let failed = await draw(parts, on: &sheet, from: library)
        guard failed.pictures < parts.count else { return (nil, failed.here == failed.pictures ? 1 : 4) }
        do throws(ImageError) {
            return (
                try await Self.image(of: sheet, output.format).file(as: output.format, quality: output.quality),
                failures + failed.pictures > 0 ? 3 : 0
            )
        } catch { throw ProgramProblem("\(output.path): \(error.title)") }
    }

    // MARK: Reading and loading

    /// Reads the lists; returns their pictures and the number of lines and lists that could not be used.
    private func readParts(_ library: ImageServices) async throws(ProgramProblem) -> ([Part], failures: Int) {
        var options = library.options()
        options.process.animation.onlyFirstFrame = true
        let builder = PrefetchItemBuilder(options: options, variants: [])
        let (pipeline, listOptions) = (library.pipeline, library.options())
        let ignored = IgnoredQuery(self.library.configuration[.ignoredQuery])
        var traversal = ListTraversal(lists, base: base, ignoredQuery: ignored) { url throws(ImageError) in
            try await pipeline.document(at: url, options: listOptions)
        }
        var (parts, failures): ([Part], Int) = ([], 0)
        let most = max(1, Self.mostPixels / (cell.width * cell.height))
        while let event = await traversal.next() {
            switch event {
            case .picture(let entry, _):
                guard parts.count < most else {
                    throw ProgramProblem(
                        "more than \(most) pictures do not fit on a sheet of 100 megapixels; choose a smaller --size")
                }
                do throws(ImageError) {
                    parts.append(try part(try builder.item(parts.count, entry), entry, options))
                } catch {
                    failures += 1
                    console.message("alcedo: \(Redaction.display(entry.location)): \(error.title)")
                }
            case .partOmitted: break
            case .lineRejected(let line, let list, let reason):
                failures += 1
                console.message("alcedo: \(Redaction.rejection(line, of: list, reason: reason))")
            case .listUnreadable(_, _, let reason):
                failures += 1
                console.message("alcedo: \(reason)")
            }
        }
        return (parts, failures)
    }

    /// Returns the part for a list entry, whose own processors come before the reduction.
    private func part(_ item: PrefetchItem, _ entry: ListEntry, _ common: ImageOptions) throws(ImageError) -> Part {
        var options = item.options ?? common
        let reduction = DownsamplingImageProcessor(size: size)
        options.process.processor = item.variants.first.map { $0 |> reduction } ?? reduction
        let name = SafeText.clean(entry.title ?? LocationNames(entry.location).name)
        return Part(source: item.source, options: options, location: entry.location, name: name)
    }

    /// Loads several pictures at once, and draws them as they arrive.
    ///
    /// Names the pictures that failed. Returns their number, and the number of failures that are faults of this
    /// machine.
    private func draw(
        _ parts: [Part], on sheet: inout PixelBuffer, from library: ImageServices
    ) async -> (pictures: Int, here: Int) {
        await withTaskGroup(of: (Int, Content).self) { group in
            var remaining = Array(parts.enumerated())[...]
            func loadNext() {
                guard let (index, part) = remaining.popFirst() else { return }
                group.addTask { (index, await load(part, from: library)) }
            }
            for _ in 0..<Self.jobs { loadNext() }
            var (failed, captionProblem): ((pictures: Int, here: Int), ImageError?) = ((0, 0), nil)
            while let (index, content) = await group.next() {
                loadNext()
                draw(content, at: index, on: &sheet)
                if case .failure(let error) = content.picture {
                    failed.pictures += 1
                    if error.isOfEnvironment { failed.here += 1 }
                    console.message("alcedo: \(Redaction.display(parts[index].location)): \(error.title)")
                }
                if case .failure(let error) = content.caption { captionProblem = error }
            }
            if let captionProblem { console.message("alcedo: captions are missing: \(captionProblem.title)") }
            return failed
        }
    }

    private func load(_ part: Part, from library: ImageServices) async -> Content {
        var content = Content(picture: await pixels(of: part.source, at: part.location, part.options, from: library))
        guard hasCaptions else { return content }
        // The caption is an SVG picture, so the sandboxed decoder lays out any text that a name contains.
        let svg = Self.caption(part.name, captionArea)
        let source = Source.provider(RawImageDataProvider(data: Data(svg.utf8), cacheKey: svg))
        var options = library.options()
        options.cache.cacheOriginalImage = false
        content.caption = await pixels(of: source, at: part.location, options, from: library)
        return content
    }

    private func pixels(
        of source: Source, at location: String, _ options: ImageOptions, from library: ImageServices
    ) async -> Result<PixelBuffer, ImageError> {
        do throws(ImageError) {
            return .success(
                try await library.image(of: source, at: location, options: options, console: console).pixels)
        } catch { return .failure(error) }
    }

    // MARK: Drawing

    /// The area of a picture with its caption and the gap to the next.
    private var cell: PixelSize {
        PixelSize(
            width: size.width + Self.gap,
            height: size.height + Self.gap + (hasCaptions ? Self.captionHeight : 0))
    }

    private func emptySheet(for count: Int) -> PixelBuffer {
        let shown = min(columns, count)
        let rows = (count - 1) / columns + 1
        return PixelBuffer(
            size: PixelSize(width: shown * cell.width + Self.gap, height: rows * cell.height + Self.gap),
            filledWith: Self.background)
    }

    private var captionArea: PixelSize { PixelSize(width: size.width, height: Self.captionHeight) }

    /// Draws a picture and the caption below it.
    private func draw(_ content: Content, at index: Int, on sheet: inout PixelBuffer) {
        let background = Self.background
        let left = Self.gap + index % columns * cell.width
        let top = Self.gap + index / columns * cell.height
        if case .success(let picture) = content.picture {
            sheet.draw(picture.flattened(over: background), centeredIn: size, left: left, top: top)
        }
        if case .success(let caption) = content.caption {
            let below = top + size.height
            sheet.draw(caption.flattened(over: background), centeredIn: captionArea, left: left, top: below)
        }
    }

    /// Returns a line of text as an SVG picture.
    private static func caption(_ text: String, _ area: PixelSize) -> String {
        // Characters of this size are less than 7 pixels wide.
        let shown = Fitting.truncateMiddle(text, to: area.width / 7, ellipsis: "…")
        let escaped = shown.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(area.width)" height="\(area.height)"><text x="50%" y="13" \
            text-anchor="middle" font-family="DejaVu Sans Mono, monospace" font-size="11" fill="#333">\(escaped)</text>\
            </svg>
            """
    }

    private static func image(of pixels: PixelBuffer, _ format: ImageFormat) -> Image {
        Image(pixels: pixels, originalSize: pixels.size, format: format, frameCount: 1, byteCount: 0)
    }
}
