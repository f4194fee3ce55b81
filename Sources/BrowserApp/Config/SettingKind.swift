import Foundation
import ImageLoading
import Raster

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
        self.expected = expected
        self.parse = parse
        self.write = write
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
package struct SettingProblem: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

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
}

extension SettingKind<String> {
    /// Text that satisfies a condition.
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
            let formats = text.split(separator: ",").map { ImageFormat(name: $0.trimmingCharacters(in: .whitespaces)) }
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
        return SettingKind(words.dropLast().joined(separator: ", ") + last) { value in
            if case .text(let text) = value { Value(rawValue: text) } else { nil }
        } write: {
            .text($0.rawValue)
        }
    }
}
