/// An item's status as signs and words, for a line of the list or of the task panel.
struct StatusText {
    let status: ItemStatus
    let now: Int
    let glyphs: GlyphSet
    /// Whether a waiting item loads only when selected.
    var isSkipped = false

    /// Whether the status needs the wide field instead of one sign.
    var isWide: Bool {
        switch status {
        case .loading, .retrying, .parked: true
        default: false
        }
    }

    /// One sign.
    var sign: StyledText {
        switch status {
        case .waiting: StyledText(glyphs.waiting, .dim)
        case .connecting: StyledText(glyphs.spin(at: now), .accent)
        case .loading: StyledText(glyphs.download, Style(.bar))
        case .onDisk: StyledText(glyphs.onDisk, .accent)
        case .inMemory: StyledText(glyphs.inMemory, .ok)
        case .retrying: StyledText(glyphs.retrying, .warning)
        case .parked: StyledText(glyphs.parked, .warning)
        case .failed: StyledText(glyphs.failed, .failure)
        case .duplicate: StyledText(glyphs.duplicate, .dim)
        }
    }

    /// Returns a bar, or the sign with the remaining seconds.
    func field(width: Int) -> StyledText {
        switch status {
        case .loading(let received, let total, _):
            return ProgressBar.thin(received, of: total, at: now, width: width, glyphs: glyphs)
        case .retrying(_, _, let seconds, _): return wait(glyphs.retrying, seconds)
        case .parked(let seconds, _, _): return wait(glyphs.parked, seconds)
        default: return sign
        }
    }

    /// Whether there are more facts than a size.
    var hasFacts: Bool {
        switch status {
        case .waiting: isSkipped
        case .onDisk, .inMemory: false
        case .connecting, .loading, .retrying, .parked, .failed, .duplicate: true
        }
    }

    /// The seconds until the next attempt.
    var delay: StyledText? {
        switch status {
        case .retrying(_, _, let seconds, _), .parked(let seconds, _, _):
            StyledText(Units.duration(seconds: seconds), .warning)
        default: nil
        }
    }

    /// Returns the number or reason of the status in at most `width` cells; numbers keep their columns.
    func fact(width: Int) -> StyledText {
        switch status {
        case .waiting: StyledText(isSkipped ? fit("skipped", width) : "", .dim)
        case .connecting: StyledText(fit("connecting", width), .dim)
        case .loading(let received, let total, let rate): transfer(received, total, rate, width)
        case .onDisk(let bytes), .inMemory(let bytes): StyledText(fit(Units.bytes(bytes), width), .dim)
        case .retrying(let attempt, let count, _, let reason): attempts(reason, attempt, count, width)
        case .parked(let seconds, let reason, let answer):
            StyledText(fit(waiting(seconds, reason, answer, width), width), .warning)
        case .failed(let reason): StyledText(fit(reason, width), .failure)
        case .duplicate: StyledText(fit("duplicate", width), .dim)
        }
    }

    /// Returns the item's last result, the host's status, and the time of the next attempt if there is room.
    private func waiting(_ seconds: Int, _ reason: String, _ answer: String, _ width: Int) -> String {
        let short = answer.isEmpty ? reason : "\(answer) \(glyphs.dot) \(reason)"
        let long = "\(short), \(Units.nextTry(seconds: seconds))"
        return CellWidth.of(long) <= width ? long : short
    }

    private func wait(_ sign: String, _ seconds: Int) -> StyledText {
        StyledText("\(sign) \(Units.duration(seconds: seconds))", .warning)
    }

    private func transfer(_ received: Int, _ total: Int?, _ rate: Int?, _ width: Int) -> StyledText {
        let share = total.map { Units.percent(received, of: $0) } ?? Units.bytes(received)
        let amount = Fitting.pad(share, to: min(width, Units.bytesWidth), .trailing)
        var text = StyledText(amount)
        guard width >= Units.bytesWidth + 2 + Units.rateWidth else { return text }
        text.append(Fitting.pad(rate.map { Units.rate($0) } ?? "", to: Units.rateWidth + 2, .trailing), .dim)
        return text
    }

    private func attempts(_ reason: String, _ attempt: Int, _ count: Int, _ width: Int) -> StyledText {
        let attempts = width < 12 ? "\(attempt)/\(count)" : "try \(attempt) of \(count)"
        let room = width - attempts.count - 2
        guard room >= 3, !reason.isEmpty else { return StyledText(fit(attempts, width), .warning) }
        return StyledText("\(fit(reason, room)), \(attempts)", .warning)
    }

    private func fit(_ text: String, _ width: Int) -> String {
        Fitting.truncate(text, to: width, ellipsis: glyphs.ellipsis)
    }
}

extension BrowseState {
    func statusText(of index: Int) -> StatusText {
        StatusText(
            status: statuses.status(of: index, at: now), now: now, glyphs: glyphs, isSkipped: isSkipped(index))
    }
}
