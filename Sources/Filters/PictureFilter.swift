/// A filter of pictures, as text.
///
/// A picture passes if it matches all terms; `|` separates alternatives, and `!` negates a term. Quotes make a text
/// with blanks one term. `FilterTerm` lists the terms.
package struct PictureFilter: Sendable, Hashable {
    package struct Literal: Sendable, Hashable {
        package let term: FilterTerm
        package let isNegated: Bool
    }

    /// The alternatives, each with at least one term; without alternatives, each picture passes.
    package private(set) var alternatives: [[Literal]] = []

    /// Creates a filter that each picture passes.
    package init() {}

    /// Creates a filter that a picture passes if it matches one of the terms.
    package init(any terms: [FilterTerm]) { alternatives = terms.map { [Literal(term: $0, isNegated: false)] } }

    /// Parses a filter.
    ///
    /// - Parameter scope: Where the filter applies, which decides what terms are valid.
    /// - Throws: `FilterProblem` with the column of an invalid term.
    package init(_ text: String, in scope: FilterScope) throws(FilterProblem) {
        var literals: [Literal] = []
        var last = ""
        for word in FilterWord.words(of: text) {
            guard !word.isOr else {
                if !literals.isEmpty { alternatives.append(literals) }
                literals = []
                continue
            }
            if FilterTerm.isUnit(word.text), FilterTerm.endsWithNumber(last) {
                throw FilterProblem(
                    term: "\(last) \(word.text)", column: word.column - last.count - 1,
                    expected: "\(last)\(word.text), without a blank")
            }
            if let literal = try Self.literal(word, scope) { literals.append(literal) }
            last = word.text
        }
        if !literals.isEmpty { alternatives.append(literals) }
    }

    private static func literal(_ word: FilterWord, _ scope: FilterScope) throws(FilterProblem) -> Literal? {
        let isNegated = word.text.hasPrefix("!") && !word.isQuoted
        let text = isNegated ? String(word.text.dropFirst()) : word.text
        guard !text.isEmpty else { return nil }
        do throws(FilterProblem) {
            let term = word.isQuoted ? .text(TextPattern(text)) : try FilterTerm(text, in: scope)
            return Literal(term: term, isNegated: isNegated)
        } catch {
            throw FilterProblem(term: error.term, column: word.column, expected: error.expected)
        }
    }

    /// Whether each picture passes.
    package var isEmpty: Bool { alternatives.isEmpty }

    /// All terms.
    package var terms: [FilterTerm] { alternatives.flatMap { $0.map(\.term) } }

    /// Returns the filter as a predicate, made of the predicates of its terms.
    package func predicate<Subject>(
        _ test: (FilterTerm) -> @Sendable (Subject) -> Bool
    ) -> @Sendable (Subject) -> Bool {
        let choices: [[(test: @Sendable (Subject) -> Bool, isNegated: Bool)]] = alternatives.map { literals in
            literals.map { (test: test($0.term), isNegated: $0.isNegated) }
        }
        if choices.isEmpty { return { _ in true } }
        if choices.count == 1, choices[0].count == 1 {
            let (test, isNegated) = choices[0][0]
            if isNegated { return { !test($0) } }
            return test
        }
        return { subject in
            choices.contains { $0.allSatisfy { $0.test(subject) != $0.isNegated } }
        }
    }
}

/// Where a filter applies.
package enum FilterScope: Sendable {
    /// Entries of the disk cache.
    case cache
    /// Items of a run of `prefetch` or `check`.
    case report
    /// Items of the browser's list.
    case list
}

/// The invalid part of a filter.
package struct FilterProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// The term as the user wrote it.
    package let term: String
    /// The column of its first character, from 1.
    package let column: Int
    /// The valid forms.
    package let expected: String

    package init(term: String, column: Int = 1, expected: String) {
        (self.term, self.column, self.expected) = (term, column, expected)
    }

    package var description: String { "column \(column), '\(term)': expected \(expected)" }
}

/// A word of a filter.
struct FilterWord {
    private(set) var text = ""
    /// The column of its first character, from 1.
    let column: Int
    /// Whether it begins with a quote, so that it is text.
    private(set) var isQuoted = false
    private(set) var isOr = false

    private init(column: Int) { self.column = column }

    /// Returns the words of a text, separated by blanks and `|` outside quotes; the quotes are removed.
    ///
    /// An unclosed quote extends to the end. A regular expression keeps its `|`.
    static func words(of text: String) -> [FilterWord] {
        var words: [FilterWord] = []
        var word = FilterWord(column: 1)
        var isInQuotes = false
        func end(at column: Int) {
            if !word.text.isEmpty { words.append(word) }
            word = FilterWord(column: column + 1)
        }
        for (index, character) in text.enumerated() {
            let isPattern = word.text.hasPrefix("~") || word.text.hasPrefix("!~")
            if character == "\"", !isPattern {
                if word.text.isEmpty, !isInQuotes { word.isQuoted = true }
                isInQuotes.toggle()
            } else if character == " ", !isInQuotes {
                end(at: index + 1)
            } else if character == "|", !isInQuotes, !isPattern {
                end(at: index)
                word.isOr = true
                word.text = "|"
                end(at: index + 1)
            } else {
                word.text.append(character)
            }
        }
        end(at: text.count)
        return words
    }
}
