import AlcedoConfig
import AlcedoLists
import AlcedoSupport
import FoundationEssentials
import ImageLoading
import Raster

/// How the pictures of a run are processed and encoded before they are written into its folder.
package struct PictureEncoding: Sendable, Hashable {
    /// The text of a processor chain; empty, the default, changes nothing.
    package var chain = ""
    /// The format of all files; nil, the default, keeps a picture's own where it can be written, else PNG.
    package var format: ImageFormat?
    /// The quality of JPEG and WebP, 1…100.
    package var quality = ImageEncoder.standardQuality

    package init() {}

    /// Reads `FORMAT` or `FORMAT:QUALITY`; returns false for other text.
    package mutating func read(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let format = ImageFormat(fileExtension: parts[0].lowercased()),
            ImageFormat.trusted.contains(format)
        else { return false }
        self.format = format
        guard parts.count == 2 else { return true }
        guard let quality = Int(parts[1]), (1...100).contains(quality), [.jpeg, .webP].contains(format) else {
            return false
        }
        self.quality = quality
        return true
    }

    /// Returns the recipe of a picture; a chain that its list gives replaces that of the run.
    func recipe(of entry: ListEntry, _ original: ImageFormat?) -> PictureRecipe {
        recipe(entry.process ?? chain, of: original)
    }

    private func recipe(_ chain: String, of original: ImageFormat?) -> PictureRecipe {
        let kept = original.flatMap { ImageFormat.trusted.contains($0) ? $0 : nil } ?? .png
        return PictureRecipe(chain: chain, format: format ?? kept, quality: quality)
    }

    /// Returns the recipe by which the check of a picture also makes its file.
    ///
    /// A picture that a filter leaves out by its size, or that a filter needs more facts of, is made after the check.
    func recipeOfChecks(
        keep: ReportFilter?, reject: ReportFilter?
    ) -> @Sendable (ImageHeader) -> PictureRecipe? {
        let (keeps, rejects) = (keep?.predicate(), reject?.predicate())
        return { [self] header in
            let facts = JSONValue.object([
                JSONValue.Member(name: "format", value: .string(header.format.rawValue)),
                JSONValue.Member(name: "width", value: .integer(header.size.width)),
                JSONValue.Member(name: "height", value: .integer(header.size.height)),
            ])
            guard keeps?(facts) != false, rejects?(facts) != true else { return nil }
            return recipe(chain, of: header.format)
        }
    }

    /// Returns the work on a picture as a text, by which a later run knows what was done.
    func text(of entry: ListEntry) -> String {
        "\(entry.process ?? chain) as \(format?.rawValue ?? "its format"):\(quality)"
    }
}

/// A picture for a folder.
struct SinkPicture {
    let data: Data
    var caption: String?
    /// The facts of the picture, and of the new file if it was processed.
    var report: ItemReport

    /// The format of the bytes.
    var format: ImageFormat? { report.written?.format ?? report.picture.format }
}

/// The facts of a file that was made of a picture.
struct WrittenFacts: Encodable {
    let format: ImageFormat
    let width, height: Int?
    let bytes: Int
    /// ``PictureEncoding/text(of:)``.
    let recipe: String

    init(_ file: Data, _ format: ImageFormat, recipe: String) {
        (self.format, self.recipe, bytes) = (format, recipe, file.count)
        let size = DeclaredHeader.read(file)?.size
        (width, height) = (size?.width, size?.height)
    }

    private enum CodingKeys: String, CodingKey { case format, width, height, bytes, recipe }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(format.rawValue, forKey: .format)
        try container.encodeIfPresent(width, forKey: .width)
        try container.encodeIfPresent(height, forKey: .height)
        try container.encode(bytes, forKey: .bytes)
        try container.encode(recipe, forKey: .recipe)
    }
}

/// Which columns of a list go with its pictures.
package struct ColumnSettings: Sendable, Hashable {
    /// The column of addresses; nil, the default, finds it.
    package var address: String?
    /// The columns that are kept; nil, the default, keeps all.
    package var names: [String]?
    /// The column of captions; nil, the default, takes the first of ``captions``, else the title.
    package var caption: String?

    package init() {}

    /// The usual names of captions.
    static let captions = ["caption", "text", "title", "alt"]

    var choice: ColumnChoice {
        var choice = ColumnChoice()
        choice.address = address
        choice.kept = names.map { .named($0, besides: caption.map { [$0] } ?? Self.captions) } ?? .all
        return choice
    }

    /// Returns the caption of an entry.
    func caption(of entry: ListEntry) -> String? {
        let value = (caption.map { [$0] } ?? Self.captions).lazy.compactMap { entry.columns[$0] }.first
        let title = caption == nil || caption == "title" ? entry.title : nil
        return (value.map(\.plainText) ?? title).map(Redaction.text)
    }

    /// Removes the columns that are not kept.
    func narrow(_ columns: inout [String: JSONValue]) {
        guard let names else { return }
        columns = columns.filter { names.contains($0.key) }
    }
}

extension JSONValue {
    /// A text itself, other values as JSON.
    var plainText: String {
        if case .string(let text) = self { return text }
        return JSONLine.text(of: self) ?? ""
    }

    /// The value without the credentials of the addresses in it.
    var redacted: JSONValue {
        switch self {
        case .string(let text): .string(Redaction.text(text))
        case .array(let values): .array(values.map(\.redacted))
        case .object(let members): .object(members.map { Member(name: $0.name, value: $0.value.redacted) })
        case .null, .flag, .number, .integer: self
        }
    }
}
