import AlcedoFilters
import AlcedoSupport
import FoundationEssentials
import ImageLoading
import Raster

/// A row of the table of settings: path, type, default and documentation.
package struct Setting<Value: Sendable & Equatable>: Sendable {
    /// Section and name, such as `cache.max-size`.
    let path: String
    package let kind: SettingKind<Value>
    package let standard: Value
    /// One sentence for the comment in the config file and the help of the option.
    package let documentation: String
    /// The environment variable that overrides the config file; nil if there is none.
    package let variable: String?
    /// The value that the variable sets; nil for the variable's own text.
    private let variableValue: Value?

    init(
        _ path: String, _ kind: SettingKind<Value>, default standard: Value, _ documentation: String,
        variable: String? = nil, setting variableValue: Value? = nil
    ) {
        (self.path, self.kind, self.standard, self.documentation) = (path, kind, standard, documentation)
        (self.variable, self.variableValue) = (variable, variableValue)
    }

    /// The default as text for a command line.
    package var standardText: String { kind.write(standard).plain }

    /// Checks a value and writes it into a configuration.
    package func read(
        _ value: ConfigurationValue, into configuration: inout Configuration
    ) throws(SettingProblem) {
        _ = try kind.read(value)
        configuration.values[path] = value
    }
}

/// A setting of any type.
package protocol AnySetting: Sendable {
    var name: String { get }
    var documentation: String { get }
    /// The default.
    var standardValue: ConfigurationValue { get }
    /// The environment variable that overrides the config file; nil if there is none.
    var variable: String? { get }
    func read(_ value: ConfigurationValue, into configuration: inout Configuration) throws(SettingProblem)
    /// Returns the value in a configuration, else the default.
    func value(in configuration: Configuration) -> ConfigurationValue
    /// Returns the value in a configuration; nil if it has none.
    func value(setIn configuration: Configuration) -> ConfigurationValue?
    /// Returns the value in the environment; nil if it has none.
    func value(setBy environment: [String: String]) -> ConfigurationValue?
}

extension Setting: AnySetting {
    package var name: String { String(path.drop { $0 != "." }.dropFirst()) }
    package var standardValue: ConfigurationValue { kind.write(standard) }

    package func value(in configuration: Configuration) -> ConfigurationValue { kind.write(configuration[self]) }

    package func value(setIn configuration: Configuration) -> ConfigurationValue? {
        configuration.values[path] == nil ? nil : value(in: configuration)
    }

    package func value(setBy environment: [String: String]) -> ConfigurationValue? {
        guard let variable, let text = environment[variable], !text.isEmpty else { return nil }
        return variableValue.map(kind.write) ?? .text(text)
    }
}

/// A section of the config file with its settings.
package struct ConfigurationSection: Sendable {
    let name: String
    /// One sentence for the comment above the section.
    let documentation: String
    package let settings: [any AnySetting]

    /// All sections in the order of the printed file; a new section is one entry here.
    static let all: [ConfigurationSection] = [
        .transfers, .retrying, .browser, .prefetch, .cache, .privacy, .keys,
    ]

    func setting(_ name: String) -> (any AnySetting)? { settings.first { $0.name == name } }
}

/// The type of a setting with its text format, the same in the config file and on the command line.
package struct SettingKind<Value: Sendable & Equatable>: Sendable {
    /// The expected value in words: "a time such as 500ms, 30s or 5m".
    package let expected: String
    private let parse: @Sendable (ConfigurationValue) throws(SettingProblem) -> Value?
    let write: @Sendable (Value) -> ConfigurationValue

    init(
        _ expected: String, parse: @escaping @Sendable (ConfigurationValue) throws(SettingProblem) -> Value?,
        write: @escaping @Sendable (Value) -> ConfigurationValue
    ) {
        (self.expected, self.parse, self.write) = (expected, parse, write)
    }

    /// Creates a type whose values are text, or a plain number that the text format accepts, too.
    private init(
        _ expected: String, read: @escaping @Sendable (String) -> Value?, text: @escaping @Sendable (Value) -> String
    ) {
        self.init(expected) {
            read($0.plain)
        } write: {
            .text(text($0))
        }
    }

    /// Parses a value; throws a `SettingProblem` with the expected value and the one found.
    package func read(_ value: ConfigurationValue) throws(SettingProblem) -> Value {
        guard let read = try parse(value) else { throw SettingProblem("takes \(expected), not \(value.quoted)") }
        return read
    }
}

/// The reason why a value does not fit a setting, worded to follow its name: "takes true or false, not 3".
public struct SettingProblem: Error, Sendable, Equatable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}

extension SettingKind<Int> {
    package static func number(in range: ClosedRange<Int>) -> SettingKind {
        SettingKind("a number from \(range.lowerBound) to \(range.upperBound)") { value in
            if case .number(let number) = value, range.contains(number) { number } else { nil }
        } write: {
            .number($0)
        }
    }

    /// A number of bytes with K, M or G of 1024.
    package static var bytes: SettingKind {
        SettingKind("a size such as 500K or 64M", read: SizeText.bytes, text: SizeText.text)
    }

    /// A number of bytes, or 0 for none.
    package static var bytesOrNone: SettingKind {
        SettingKind(
            "a size such as 500K or 64M, or 0", read: { $0 == "0" ? 0 : SizeText.bytes($0) }, text: SizeText.text)
    }
}

extension SettingKind<Bool> {
    package static var flag: SettingKind {
        SettingKind("true or false") {
            if case .flag(let flag) = $0 { flag } else { nil }
        } write: {
            .flag($0)
        }
    }
}

extension SettingKind<Double> {
    /// A percentage, parsed as a factor.
    package static var percentage: SettingKind {
        SettingKind("a percentage such as 10%", read: ShareText.factor, text: ShareText.text)
    }

    /// A rate a second, a minute or an hour, parsed as a rate a second; 0 for none.
    package static var rate: SettingKind {
        SettingKind("a rate such as 10/s, 30/m or 500/h, or 0", read: RateText.perSecond, text: RateText.text)
    }
}

extension SettingKind<Duration> {
    /// A time with ms, s, m or h; a number without a unit is in seconds.
    package static var duration: SettingKind {
        SettingKind("a time such as 500ms, 30s or 5m", read: TimeText.duration, text: TimeText.text)
    }

    /// A time within a range.
    static func duration(in range: ClosedRange<Duration>) -> SettingKind {
        let words = "a time from \(TimeText.text(range.lowerBound)) to \(TimeText.text(range.upperBound))"
        return SettingKind(
            words, read: { TimeText.duration($0).flatMap { range.contains($0) ? $0 : nil } }, text: TimeText.text)
    }
}

extension SettingKind<String> {
    /// Returns the kind of text that satisfies a condition.
    static func text(_ expected: String, where isGood: @escaping @Sendable (String) -> Bool) -> SettingKind {
        SettingKind(expected) { value in
            if case .text(let text) = value, isGood(text) { text } else { nil }
        } write: {
            .text($0)
        }
    }

    /// A built-in name or a file.
    static var named: SettingKind { .text("a name or a file") { !$0.isEmpty } }

    /// A processor chain; the error says where the text is wrong.
    static var processors: SettingKind {
        SettingKind("a processor chain") { value throws(SettingProblem) in
            guard case .text(let text) = value else { return nil }
            do throws(ProcessorGrammar.Problem) { _ = try ProcessorGrammar.parse(text) } catch {
                throw SettingProblem("is not a processor chain: \(error), in '\(text)'")
            }
            return text
        } write: {
            .text($0)
        }
    }
}

extension SettingKind<Set<ImageFormat>?> {
    /// Names of formats with commas between them; `pictures` for all, `any` for any content.
    static var formats: SettingKind {
        SettingKind("formats such as jpg,png,webp, or pictures, or any") { value in
            guard case .text(let text) = value else { return nil }
            if text == "any" { return .some(nil) }
            if text == "pictures" { return Set(ImageFormat.allCases) }
            let formats = text.split(separator: ",").map { ImageFormat.named($0.withoutBlanks) }
            guard !formats.isEmpty, !formats.contains(nil) else { return nil }
            return Set(formats.compactMap(\.self))
        } write: { formats in
            guard let formats else { return .text("any") }
            guard formats.count < ImageFormat.allCases.count else { return .text("pictures") }
            return .text(ImageFormat.allCases.filter(formats.contains).map(\.fileExtension).joined(separator: ","))
        }
    }
}

extension SettingKind where Value: CaseIterable & RawRepresentable<String> {
    /// One of the raw values.
    package static var choice: SettingKind {
        let words = Value.allCases.map(\.rawValue)
        let last = words.last.map { " or \($0)" } ?? ""
        return SettingKind(words.dropLast().joined(separator: ", ") + last) { value throws(SettingProblem) in
            guard case .text(let text) = value else { return nil }
            if let known = Value(rawValue: text) { return known }
            guard let nearest = NearestName.nearest(to: text, among: words) else { return nil }
            throw SettingProblem("does not take '\(text)'; did you mean \(nearest)?")
        } write: {
            .text($0.rawValue)
        }
    }
}

/// The text format of durations.
enum TimeText {
    private static let units: [(name: String, milliseconds: Double)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000),
    ]
    private static let longest = Duration.seconds(365 * 86_400)

    /// Parses a duration with ms, s, m or h, or in seconds, of at most a year; returns nil for invalid text.
    static func duration(_ text: String) -> Duration? {
        let unit = units.first { text.hasSuffix($0.name) } ?? ("", 1000)
        guard let number = DecimalText.number(text.dropLast(unit.name.count)) else { return nil }
        let milliseconds = number * unit.milliseconds
        guard milliseconds <= longest / .milliseconds(1) else { return nil }
        return .seconds(milliseconds / 1000)
    }

    /// Returns text that parses to the same duration, in the largest unit that divides it.
    static func text(_ duration: Duration) -> String {
        let milliseconds = (duration / .milliseconds(1)).rounded()
        let whole = units.last { milliseconds.truncatingRemainder(dividingBy: $0.milliseconds) == 0 }
        guard milliseconds > 0, let whole else { return "0s" }
        return DecimalText.text(milliseconds / whole.milliseconds) + whole.name
    }
}

/// The text format of sizes.
enum SizeText {
    private static let units: [(name: Character, bytes: Int)] = [("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30)]

    /// Parses a number of bytes, at least 1, with K, M, G or T of 1024; returns nil for invalid text.
    static func bytes(_ text: String) -> Int? {
        guard let bytes = try? FilterUnits.bytes(text), bytes > 0, bytes < .max else { return nil }
        return bytes
    }

    static func text(_ bytes: Int) -> String {
        guard bytes > 0, let unit = units.last(where: { bytes.isMultiple(of: $0.bytes) }) else { return String(bytes) }
        return "\(bytes / unit.bytes)\(unit.name)"
    }
}

/// The text format of percentages.
package enum ShareText {
    /// Parses a percentage from 0 to 10,000 as a factor; returns nil for invalid text.
    package static func factor(_ text: String) -> Double? {
        guard text.hasSuffix("%"), let number = DecimalText.number(text.dropLast()), number <= 10_000 else {
            return nil
        }
        return number / 100
    }

    static func text(_ factor: Double) -> String { DecimalText.text(factor * 100) + "%" }
}

/// The text format of rates.
enum RateText {
    private static let units: [(name: String, seconds: Double)] = [("/s", 1), ("/m", 60), ("/h", 3600)]

    /// Parses a number with /s, /m or /h, at most a million a second, as a rate a second; returns nil for invalid text.
    ///
    /// 0 needs no unit.
    static func perSecond(_ text: String) -> Double? {
        if text == "0" { return 0 }
        guard let unit = units.first(where: { text.hasSuffix($0.name) }),
            let number = DecimalText.number(text.dropLast(2)), number / unit.seconds <= 1_000_000
        else { return nil }
        return number / unit.seconds
    }

    /// Returns the rate in the smallest unit that makes it a whole number, else an hour's.
    static func text(_ rate: Double) -> String {
        guard rate > 0 else { return "0" }
        let fitting = units.first { abs((rate * $0.seconds).rounded() - rate * $0.seconds) < 1e-6 }
        let unit = fitting ?? units[units.count - 1]
        return DecimalText.text(rate * unit.seconds) + unit.name
    }
}

/// The text format of plain decimal numbers: digits with an optional point.
private enum DecimalText {
    static func number(_ text: some StringProtocol) -> Double? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), let number = Double(String(text)),
            number.isFinite
        else { return nil }
        return number
    }

    static func text(_ number: Double) -> String {
        let text = String((number * 1_000_000).rounded() / 1_000_000)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
