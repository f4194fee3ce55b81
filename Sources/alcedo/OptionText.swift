import AlcedoConfig
import AlcedoLists
import AlcedoPrefetch
import AlcedoTools
import ArgumentParser
import ImageLoading

/// Parses option values; errors are `UsageProblem`s that name the option and its expected value.
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
        guard let sides = ShowProgram.sides(text) else {
            throw UsageProblem(text: "\(option) takes two numbers from 1 to 100000, as 800x600, not '\(text)'")
        }
        return sides
    }

    static func number(_ value: Int, of option: String, in range: ClosedRange<Int>) throws -> Int {
        guard range.contains(value) else {
            throw UsageProblem(text: "\(option) takes a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    static func value<Value>(_ text: String, _ kind: SettingKind<Value>, of option: String) throws -> Value {
        do throws(SettingProblem) { return try kind.read(.text(text)) } catch {
            throw UsageProblem(text: "\(option) \(error)")
        }
    }

    /// Parses a processor chain of `--process`.
    static func processors(_ text: String) throws -> ProcessorChain {
        do throws(ProcessorGrammar.Problem) { return try ProcessorChain(text) } catch {
            throw UsageProblem(text: "--process '\(text)': \(error)")
        }
    }

    /// Parses a processor chain of `--process`, which is applied to a page.
    static func processors(_ text: String, page: Int?) throws -> any ImageProcessor {
        let chain = try processors(text).processor
        guard let page else { return chain }
        return PageImageProcessor(try number(page, of: "--page", in: 1...1_000_000)) |> chain
    }

    /// Parses the value of `--base`, if there is one.
    static func base(_ text: String?) throws -> ListBase? {
        do throws(ListError) { return try text.map { text throws(ListError) in try ListBase.detect(text) } } catch {
            throw UsageProblem(text: "--base takes a folder or a URL: \(error)")
        }
    }
}

extension ArgumentHelp {
    static let page: ArgumentHelp = "The page of a PDF, TIFF, ICO or HEIC file, from 1."
    static let base: ArgumentHelp = "The base of relative addresses in the lists: a URL or a folder."
}
