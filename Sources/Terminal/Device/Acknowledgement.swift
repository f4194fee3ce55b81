/// Whether the terminal has yet to say that it read the last picture, and which answers did not come yet.
struct Acknowledgement: Equatable {
    typealias Instant = ContinuousClock.Instant

    /// After so many rounds in a row without an answer, the terminal is taken for one that gives none: 3.
    private static let mostSilentRounds = 3
    /// What is older than this was lost: 30 s.
    private static let oldest = Duration.seconds(30)

    private struct Question: Equatable {
        let askedAt: Instant
        /// How many bytes went before it.
        let bytes: Int
    }

    /// Tells one picture's acknowledgement from another's.
    private(set) var round = 0
    /// Whether the answer about the last picture is waited for.
    private(set) var isDue = false
    /// What was not answered yet, oldest first; the answers come in this order.
    private var questions: [Question] = []
    private var silentRounds = 0
    private var hasAnswerInRound = false

    /// How many answers did not come yet, late ones too.
    var owed: Int { questions.count }

    /// Whether an answer may still come, however late.
    var isOwed: Bool { !questions.isEmpty }

    /// When the latest question without an answer was asked.
    var latest: Instant? { questions.last?.askedAt }

    /// What was sent and not acknowledged.
    var unansweredBytes: Int { questions.reduce(0) { $0 + $1.bytes } }

    mutating func ask(at now: Instant, bytes: Int) {
        round += 1
        isDue = true
        hasAnswerInRound = false
        questions.append(Question(askedAt: now, bytes: bytes))
    }

    /// Takes an answer, which is to the oldest question; returns how long it took, nil when none was owed.
    mutating func receive(at now: Instant, _ times: inout AnswerTimes) -> Duration? {
        while questions.count > 1, now - questions[0].askedAt > Self.oldest { questions.removeFirst() }
        silentRounds = 0
        hasAnswerInRound = true
        guard !questions.isEmpty else { return nil }
        let question = questions.removeFirst()
        if questions.isEmpty { isDue = false }
        times.note(now - question.askedAt, bytes: question.bytes)
        return now - question.askedAt
    }

    /// Returns when a round ends without its answer; nil when it is over.
    ///
    /// It changes as answers come: one that takes long gives the next ones more time.
    func deadline(of round: Int, _ times: AnswerTimes) -> Instant? {
        guard isDue, round == self.round, let latest else { return nil }
        let isSilent = silentRounds >= Self.mostSilentRounds
        return latest + (isSilent ? AnswerTimes.picturePatience.lowerBound : times.forPictures)
    }

    /// Gives up on the round that is due.
    ///
    /// Where an answer came meanwhile, an earlier one was lost, and all are counted anew.
    mutating func expire() {
        isDue = false
        silentRounds += 1
        if hasAnswerInRound || silentRounds >= Self.mostSilentRounds { questions = [] }
    }
}
