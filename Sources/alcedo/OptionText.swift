import BrowserApp
import ImageLoading

/// Reads the texts of options; throws `UsageProblem` naming the option and what it takes.
enum OptionText {
    static func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ text: String, of option: String
    ) throws -> Choice {
        guard let choice = Choice(rawValue: text) else {
            let all = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageProblem(text: "\(option) takes \(all), not '\(text)'")
        }
        return choice
    }

    static func flag(_ text: String, of option: String, off: String, on: String) throws -> Bool {
        guard [off, on].contains(text) else {
            throw UsageProblem(text: "\(option) takes \(off) or \(on), not '\(text)'")
        }
        return text == on
    }

    static func sides(_ text: String, of option: String) throws -> (Int, Int) {
        guard let sides = ShowSettings.sides(text) else {
            throw UsageProblem(text: "\(option) takes two numbers from 1 to 16384, as 800x600, not '\(text)'")
        }
        return sides
    }

    static func number(_ value: Int, of option: String, in range: ClosedRange<Int>) throws -> Int {
        guard range.contains(value) else {
            throw UsageProblem(text: "\(option) takes a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// A time with ms, s, m or h; a number alone is seconds.
    static func duration(_ text: String, of option: String) throws -> Duration {
        let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("", 1)]
        let unit = units.first { text.hasSuffix($0.0) } ?? ("", 1)
        guard let number = Double(text.dropLast(unit.0.count)), number >= 0, number * unit.1 <= 31_536_000 else {
            throw UsageProblem(text: "\(option) takes a time such as 500ms, 30s or 5m, not '\(text)'")
        }
        return .seconds(number * unit.1)
    }

    /// A share with %, as a factor.
    static func percentage(_ text: String, of option: String) throws -> Double {
        guard text.hasSuffix("%"), let number = Double(text.dropLast()), (0...10_000).contains(number) else {
            throw UsageProblem(text: "\(option) takes a percentage such as 10%, not '\(text)'")
        }
        return number / 100
    }

    /// Bytes with K, M or G of 1024.
    static func bytes(_ text: String, of option: String) throws -> Int {
        let factors: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
        let factor = text.uppercased().last.flatMap { factors[$0] }
        guard let number = Int(factor == nil ? text : String(text.dropLast())), number > 0,
            case let (product, overflow) = number.multipliedReportingOverflow(by: factor ?? 1), !overflow
        else { throw UsageProblem(text: "\(option) takes a size such as 500K or 64M, not '\(text)'") }
        return product
    }
}

/// Reads a processor chain.
enum ProcessorOption {
    static func parse(_ text: String) throws -> any ImageProcessor {
        do throws(ProcessorGrammar.Problem) {
            return try ProcessorGrammar.parse(text)
        } catch {
            throw UsageProblem(text: "--process '\(text)': \(error)")
        }
    }
}
