extension FakeTerminal {
    /// What a terminal says of itself.
    struct Kind: Sendable {
        /// By question, without its introducer; what is not here is not answered.
        var answers: [String: String]
        /// In pixels; said when asked for.
        var cell = (width: 6, height: 12)

        /// One that answers nothing at all.
        static let silent = Kind(answers: [:])
        static let plain = Kind(answers: [
            "c": "\u{1B}[?62;22c", "5n": "\u{1B}[0n", "?2026$p": "\u{1B}[?2026;2$y",
            "11;?": "\u{1B}]11;rgb:0000/0000/0000\u{1B}\\", "16t": "",
        ])
        static let sixel = plain.with([
            "c": "\u{1B}[?62;4;22c", "?1;1;0S": "\u{1B}[?1;0;256S", "?2;4;0S": "\u{1B}[?2;0;2000;2000S",
        ])
        static let kitty = plain.with(["kitty": "\u{1B}_Gi=31;OK\u{1B}\\"])

        /// The same with other answers, or none.
        func with(_ changes: [String: String?]) -> Kind {
            var kind = self
            for (question, answer) in changes { kind.answers[question] = answer }
            return kind
        }

        func answer(to question: String, cell: (width: Int, height: Int)) -> String? {
            let question = question == "0c" ? "c" : question
            guard let answer = answers[question] else { return nil }
            return question == "16t" && answer.isEmpty ? "\u{1B}[6;\(cell.height);\(cell.width)t" : answer
        }
    }
}
