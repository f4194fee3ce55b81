/// The facts that a picture's file states; unknown facts are nil.
///
/// `PictureFact.all` has one row a fact. The index of the cache, JSON lines, reports and details derive
/// from it.
public struct PictureFacts: Sendable, Hashable {
    /// The format; nil also if the bytes are not a picture.
    public var format: ImageFormat?
    /// The width in pixels, after the orientation is applied.
    public var width: Int?
    /// The height in pixels, after the orientation is applied.
    public var height: Int?
    /// The number of frames, 1 for a still picture.
    public var frames: Int?
    /// The number of pages of a document, or of pictures in a file that holds several; nil for one.
    public var pages: Int?
    /// The length of one play of an animation.
    public var duration: Duration?
    /// The EXIF orientation that the file states, 1 to 8.
    public var orientation: Int?
    /// The colours of the file.
    public var color: ColorFacts?
    /// Whether a pixel is transparent.
    public var hasAlpha: Bool?
    /// The time of capture in the camera's local time: `2026-07-14T18:20:07`, with its offset if the file states it.
    public var taken: String?
    /// The manufacturer and the model of the camera.
    public var camera: String?
    /// The result of the check of the pixels.
    public var verdict: PictureVerdict?
    /// The perceptual hash.
    public var perceptualHash: PerceptualHash?

    /// Creates facts that are all unknown.
    public init() {}

    /// The size in pixels, after the orientation is applied.
    public var size: PixelSize? {
        get { width.flatMap { width in height.map { PixelSize(width: width, height: $0) } } }
        set { (width, height) = (newValue?.width, newValue?.height) }
    }
}

/// The result of a check of a file's pixels.
public enum PictureVerdict: String, Sendable, Hashable, CaseIterable {
    /// No pixels are missing.
    case whole
    /// The file ends before all pixels are there.
    case incomplete
    /// Some pixels are damaged.
    case corrupt
    /// Nothing can be decoded. A check fails such a file, unless it accepts any content.
    case unreadable
    /// The pixels were not decoded: by choice, or because the picture exceeds a limit.
    case unchecked
}

/// A fact about pictures: its names, and its place in `PictureFacts`.
package struct PictureFact: Sendable {
    /// The column in the index of the cache.
    package let column: String
    /// Whether the column has texts; otherwise it has integers.
    package let isText: Bool
    /// The first version of the index that has the column.
    package let since: Int
    /// The name in JSON lines and in reports.
    package let name: String
    /// The label on screens; nil for facts that are part of the picture's summary line.
    package let label: String?
    private let get: @Sendable (PictureFacts) -> FactValue?
    private let set: @Sendable (inout PictureFacts, FactValue) -> Void
    private let details: @Sendable (PictureFacts) -> FactValue?

    /// Declares a fact.
    ///
    /// - Parameters:
    ///   - column: The column in the index; `name` if nil.
    ///   - details: Returns the text for screens if it differs from the value; its result is nil to leave the fact out.
    private init<Value: FactConvertible & SendableMetatype>(
        _ name: String, _ path: any WritableKeyPath<PictureFacts, Value?> & Sendable, column: String? = nil,
        since: Int = 1, label: String? = nil, details: (@Sendable (Value) -> String?)? = nil
    ) {
        (self.name, self.column, self.since) = (name, column ?? name, since)
        (self.label, isText) = (label, Value.isText)
        get = { $0[keyPath: path]?.factValue }
        set = { $0[keyPath: path] = Value(factValue: $1) }
        self.details = { facts in
            guard let value = facts[keyPath: path] else { return nil }
            return details.map { $0(value).map(FactValue.text) } ?? value.factValue
        }
    }

    /// Returns the value; nil if it is not known.
    package func value(in facts: PictureFacts) -> FactValue? { get(facts) }

    /// Returns the value for screens; nil if there is nothing to show.
    package func details(in facts: PictureFacts) -> FactValue? { details(facts) }

    /// Sets the value, which may come from a column or from JSON; an invalid value sets nil.
    package func setValue(_ value: FactValue, in facts: inout PictureFacts) { set(&facts, value) }

    /// All facts, in the order of reports.
    package static let all: [PictureFact] = [
        PictureFact("format", \.format),
        PictureFact("width", \.width),
        PictureFact("height", \.height),
        PictureFact("frames", \.frames),
        PictureFact("pages", \.pages, since: 4, label: "pages"),
        PictureFact("durationMs", \.duration, column: "duration", since: 2, label: "duration"),
        PictureFact(
            "orientation", \.orientation, since: 3, label: "rotation",
            details: { $0 == 1 ? nil : "EXIF \($0), applied" }),
        PictureFact("color", \.color, since: 2),
        PictureFact("alpha", \.hasAlpha, since: 2, label: "alpha"),
        PictureFact(
            "taken", \.taken, since: 5, label: "taken",
            details: {
                [$0.prefix(10), $0.dropFirst(11).prefix(8), $0.dropFirst(19)].filter { !$0.isEmpty }.joined(
                    separator: " ")
            }),
        PictureFact("camera", \.camera, since: 5, label: "camera"),
        PictureFact("verdict", \.verdict, since: 2, label: "verdict", details: { $0 == .unchecked ? nil : "\($0)" }),
        PictureFact("phash", \.perceptualHash, column: "hash", since: 2, label: "phash"),
    ]
}

/// A fact's value as it is written to columns, JSON and screens.
package enum FactValue: Sendable, Hashable {
    case text(String)
    case number(Int)
    case flag(Bool)
    case milliseconds(Int)
    case hash(PerceptualHash)
    case color(ColorFacts)
}

/// A type of facts.
private protocol FactConvertible {
    /// Whether columns store the value as text, not as an integer.
    static var isText: Bool { get }
    var factValue: FactValue { get }
    /// Converts a value, including one that was read from a column.
    init?(factValue: FactValue)
}

extension FactConvertible {
    static var isText: Bool { false }
}

extension FactConvertible where Self: RawRepresentable, RawValue == String {
    static var isText: Bool { true }
    var factValue: FactValue { .text(rawValue) }

    init?(factValue: FactValue) {
        guard case .text(let name) = factValue else { return nil }
        self.init(rawValue: name)
    }
}

extension ImageFormat: FactConvertible {}

extension PictureVerdict: FactConvertible {}

extension String: FactConvertible {
    static var isText: Bool { true }
    var factValue: FactValue { .text(self) }

    init?(factValue: FactValue) {
        guard case .text(let text) = factValue else { return nil }
        self = text
    }
}

extension Int: FactConvertible {
    var factValue: FactValue { .number(self) }

    init?(factValue: FactValue) {
        guard case .number(let number) = factValue else { return nil }
        self = number
    }
}

extension Bool: FactConvertible {
    var factValue: FactValue { .flag(self) }

    init?(factValue: FactValue) {
        switch factValue {
        case .flag(let flag): self = flag
        case .number(let number): self = number != 0
        default: return nil
        }
    }
}

extension Duration: FactConvertible {
    var factValue: FactValue {
        .milliseconds(Int(clamping: components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000))
    }

    init?(factValue: FactValue) {
        switch factValue {
        case .milliseconds(let number), .number(let number): self = .milliseconds(number)
        default: return nil
        }
    }
}

extension PerceptualHash: FactConvertible {
    var factValue: FactValue { .hash(self) }

    init?(factValue: FactValue) {
        switch factValue {
        case .hash(let hash): self = hash
        case .number(let number): self.init(bits: UInt64(bitPattern: Int64(number)))
        case .text(let digits):
            guard let bits = UInt64(digits, radix: 16) else { return nil }
            self.init(bits: bits)
        default: return nil
        }
    }
}

extension ColorFacts: FactConvertible {
    static var isText: Bool { true }
    var factValue: FactValue { .color(self) }

    init?(factValue: FactValue) {
        switch factValue {
        case .color(let color): self = color
        case .text(let description): self.init(description: description)
        default: return nil
        }
    }
}

extension PictureFacts: Encodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    /// Encodes the known facts, each under its name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for fact in PictureFact.all {
            let key = Key(fact.name)
            switch fact.value(in: self) {
            case .text(let text): try container.encode(text, forKey: key)
            case .number(let number), .milliseconds(let number): try container.encode(number, forKey: key)
            case .flag(let flag): try container.encode(flag, forKey: key)
            case .hash(let hash): try container.encode(hash.description, forKey: key)
            case .color(let color): try container.encode(color, forKey: key)
            case nil: break
            }
        }
    }
}
