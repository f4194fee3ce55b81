import AlcedoScreen
import Raster

/// The status of every item in nine bytes; only running and failed items take more.
struct StatusTable: Sendable, Equatable {
    enum Kind: UInt8, CaseIterable {
        case waiting, connecting, loading, onDisk, inMemory, retrying, parked, failed, duplicate, gone, folder

        /// Whether there is nothing more to load for the item.
        var isDone: Bool {
            switch self {
            case .onDisk, .inMemory, .failed, .duplicate, .gone, .folder: true
            case .waiting, .connecting, .loading, .retrying, .parked: false
            }
        }
    }

    private struct Active: Sendable, Equatable {
        let status: ItemStatus
        let since: Int

        /// Returns the rest of a wait for the next attempt or for the host, in seconds; 0 for others.
        func secondsLeft(at now: Int) -> Int {
            switch status.counted(down: (now - since) / 1000) {
            case .retrying(_, _, let seconds, _), .parked(let seconds, _, _): seconds
            default: 0
            }
        }
    }

    private var kinds: [Kind] = []
    /// The bytes of a cached item, the index of a duplicate's original.
    private var values: [Int] = []
    private var active: [Int: Active] = [:]
    private var failures: [Int: FailureFacts] = [:]
    /// Failed items, the latest last.
    private(set) var failed: [Int] = []
    private var counts = [Int](repeating: 0, count: Kind.allCases.count)
    /// The bytes of all cached items; it wraps around, so that what was added can be subtracted.
    private var cachedBytes = 0

    var count: Int { kinds.count }
    var hasActive: Bool { !active.isEmpty }

    func count(of kind: Kind) -> Int { counts[Int(kind.rawValue)] }

    /// The number of items that are not done.
    var pendingCount: Int { Kind.allCases.reduce(0) { $1.isDone ? $0 : $0 + count(of: $1) } }

    func kind(of index: Int) -> Kind { kinds[index] }

    /// Running items: those that load, those that wait for an answer, those that wait for their next attempt.
    ///
    /// Complexity: O(n log n) in them.
    var activeItems: [Int] {
        let kinds: [Kind] = [.loading, .connecting, .retrying, .parked]
        let ranks = active.mapValues { kinds.firstIndex(of: $0.status.kind) ?? kinds.count }
        return ranks.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    }

    func isActive(_ index: Int) -> Bool { active[index] != nil }

    /// Returns the bytes that a new status of an item says to have arrived since its last one.
    func arrivedBytes(of index: Int, _ status: ItemStatus) -> Int {
        switch (active[index]?.status, status) {
        // A transfer that is joined while it runs has no status before.
        case (.connecting, .loading(let received, _, _, _)): max(0, received)
        case (.loading(let old, _, _, _), .loading(let new, _, _, _)), (.loading(let old, _, _, _), .onDisk(let new)),
            (.loading(let old, _, _, _), .inMemory(let new)):
            max(0, new - old)
        default: 0
        }
    }

    /// The bytes per second of all transfers.
    var rate: Int {
        active.values.reduce(0) { sum, entry in
            guard case .loading(_, _, let rate?, _) = entry.status else { return sum }
            return sum.addingClamped(max(0, rate))
        }
    }

    /// Returns the bytes of a cached item; nil for others.
    func bytes(of index: Int) -> Int? { kinds[index] == .onDisk || kinds[index] == .inMemory ? values[index] : nil }

    /// Returns the bytes that are missing of a number of items, the running ones among them; nil while no size is known.
    ///
    /// An item of unknown size counts as an average one.
    func missingBytes(of pending: Int) -> Double? {
        let cached = count(of: .onDisk) + count(of: .inMemory)
        var (sizes, count, missing) = (Double(max(0, cachedBytes)), cachedBytes > 0 ? cached : 0, 0.0)
        var unknown = max(0, pending)
        for case .loading(let received, let total?, _, _) in active.values.lazy.map(\.status) where total > 0 {
            (sizes, count, unknown) = (sizes + Double(total), count + 1, unknown - 1)
            missing += Double(max(0, total.addingClamped(-max(0, received))))
        }
        guard unknown > 0 else { return missing }
        return count > 0 ? missing + Double(unknown) * sizes / Double(count) : nil
    }

    /// The longest time that an item or its host waits, in seconds.
    func longestWait(at now: Int) -> Int {
        active.values.reduce(0) { max($0, $1.secondsLeft(at: now)) }
    }

    /// Returns the status of an item, with seconds counted down to `now`.
    func status(of index: Int, at now: Int) -> ItemStatus {
        switch kinds[index] {
        case .waiting: .waiting
        case .onDisk: .onDisk(bytes: values[index])
        case .inMemory: .inMemory(bytes: values[index])
        case .duplicate: .duplicate(of: ItemID(values[index]))
        case .failed: .failed(reason: failures[index]?.title ?? "")
        case .gone: .gone
        case .folder: .folder(pictures: values[index] < 0 ? nil : values[index])
        case .connecting, .loading, .retrying, .parked:
            active[index].map { $0.status.counted(down: (now - $0.since) / 1000) } ?? .waiting
        }
    }

    /// Returns the whole seconds since a running item got its status.
    func seconds(of index: Int, at now: Int) -> Int { active[index].map { max(0, now - $0.since) / 1000 } ?? 0 }

    mutating func append(_ added: Int) {
        kinds += repeatElement(.waiting, count: added)
        values += repeatElement(0, count: added)
        counts[Int(Kind.waiting.rawValue)] += added
    }

    mutating func set(_ index: Int, _ status: ItemStatus, at now: Int) {
        // A report of the same wait does not begin it anew: who joins a load is told its newest event.
        if let old = active[index], old.status == status,
            status == .connecting || old.secondsLeft(at: now) > 0
        {
            return
        }
        let kind = status.kind
        cachedBytes &-= bytes(of: index) ?? 0
        defer { cachedBytes &+= bytes(of: index) ?? 0 }
        removeOldStatus(index, for: kind)
        counts[Int(kinds[index].rawValue)] -= 1
        counts[Int(kind.rawValue)] += 1
        kinds[index] = kind
        switch status {
        case .waiting, .gone: break
        case .onDisk(let bytes), .inMemory(let bytes): values[index] = max(0, bytes)
        case .duplicate(let other): values[index] = other.rawValue
        case .folder(let pictures): values[index] = pictures ?? -1
        case .failed(let reason): fail(index, reason)
        case .connecting, .loading, .retrying, .parked: active[index] = Active(status: status, since: now)
        }
    }

    /// Sets every failed item back to waiting and returns them.
    mutating func resetFailures() -> [Int] {
        defer { failed = [] }
        for index in failed { kinds[index] = .waiting }
        counts[Int(Kind.waiting.rawValue)] += failed.count
        counts[Int(Kind.failed.rawValue)] = 0
        failures = [:]
        return failed
    }

    private mutating func fail(_ index: Int, _ reason: String) {
        // What is known of the same failure stays.
        guard failures[index]?.title != reason else { return }
        let facts = FailureFacts(title: reason, detail: "", attempts: 0)
        if failures.updateValue(facts, forKey: index) == nil { failed.append(index) }
    }

    /// Returns why an item failed; nil for others.
    func failure(of index: Int) -> FailureFacts? { failures[index] }

    /// Adds the details of a failure; does nothing for an item that has not failed.
    mutating func explain(_ index: Int, _ facts: FailureFacts) { if failures[index] != nil { failures[index] = facts } }

    private mutating func removeOldStatus(_ index: Int, for kind: Kind) {
        active[index] = nil
        guard kinds[index] == .failed, kind != .failed else { return }
        failures[index] = nil
        failed.removeAll { $0 == index }
    }
}

extension ItemStatus {
    var kind: StatusTable.Kind {
        switch self {
        case .waiting: .waiting
        case .connecting: .connecting
        case .loading: .loading
        case .onDisk: .onDisk
        case .inMemory: .inMemory
        case .retrying: .retrying
        case .parked: .parked
        case .failed: .failed
        case .duplicate: .duplicate
        case .gone: .gone
        case .folder: .folder
        }
    }

    /// Returns the status with the waiting time reduced.
    fileprivate func counted(down elapsed: Int) -> ItemStatus {
        switch self {
        case .retrying(let attempt, let count, let seconds, let reason):
            .retrying(attempt: attempt, of: count, seconds: max(0, max(0, seconds) - elapsed), reason: reason)
        case .parked(let seconds, let reason, let answer):
            .parked(seconds: max(0, max(0, seconds) - elapsed), reason: reason, answer: answer)
        default: self
        }
    }
}

/// An item's status as signs and words, for a line of the list or of the task panel.
struct StatusText {
    let status: ItemStatus
    let now: Int
    let glyphs: GlyphSet
    /// Whether a waiting item loads only when selected.
    var isSkipped = false
    /// The seconds since the status began.
    var elapsed = 0
    /// The seconds after which a server's silence ends an attempt.
    var limit: Int?
    /// The verdict of a damaged picture, of which the good part is shown; nil for whole ones.
    var damage: String?
    /// The contents of a folder without pictures of its own, such as `3 folders`.
    var contents: String?

    /// The times until the first byte of a running transfer; nil for others.
    var times: TransferTimes? {
        if case .loading(_, _, _, let times) = status { times } else { nil }
    }

    /// The bytes per second of a transfer; nil if they are unknown.
    var rate: Int? { if case .loading(_, _, let rate, _) = status { rate } else { nil } }

    /// The time until a transfer ends at its rate; nil if it is unknown.
    var timeLeft: String? {
        guard case .loading(let received, let total?, let rate?, _) = status, rate > 0, total > received else {
            return nil
        }
        return Units.duration(seconds: Int(min(1e9, ((Double(total) - Double(received)) / Double(rate)).rounded(.up))))
    }

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
        case .onDisk: StyledText(glyphs.onDisk, damage == nil ? .dim : .warning)
        case .inMemory: StyledText(glyphs.inMemory, damage == nil ? .ok : .warning)
        case .retrying: StyledText(glyphs.retrying, .warning)
        case .parked: StyledText(glyphs.parked, .warning)
        case .failed, .gone: StyledText(glyphs.failed, .failure)
        case .duplicate: StyledText(glyphs.duplicate, .dim)
        case .folder: StyledText(glyphs.folder, .accent)
        }
    }

    /// Returns a bar, or the sign with the remaining seconds.
    func field(width: Int) -> StyledText {
        switch status {
        case .loading(let received, let total, _, _):
            return ProgressBar.thin(received, of: total, at: now, width: width, glyphs: glyphs)
        case .retrying(_, _, let seconds, _): return wait(glyphs.retrying, seconds)
        case .parked(let seconds, _, _): return wait(glyphs.parked, seconds)
        default: return sign
        }
    }

    /// Whether there is a reason, whose length no column can foresee.
    var hasReason: Bool {
        switch status {
        case .retrying, .parked, .failed: true
        case .onDisk, .inMemory: damage != nil
        default: false
        }
    }

    /// Whether there are more facts than a size.
    var hasFacts: Bool {
        switch status {
        case .waiting: isSkipped
        case .onDisk, .inMemory: damage != nil
        case .connecting, .loading, .retrying, .parked, .failed, .duplicate, .gone, .folder: true
        }
    }

    /// The seconds until the next attempt, or those of waiting for an answer.
    func delay(width: Int) -> StyledText? {
        switch status {
        case .retrying(_, _, let seconds, _), .parked(let seconds, _, _):
            return StyledText(Units.duration(seconds: seconds), .warning)
        case .connecting where isSlow:
            // It keeps its width, so that the words before it stay as long.
            let long = limit.map { Fitting.pad("\(elapsed) of \($0) s", to: "\($0) of \($0) s".count, .trailing) } ?? ""
            return StyledText(long.isEmpty || long.count + 8 > width ? Units.duration(seconds: elapsed) : long, .dim)
        default: return nil
        }
    }

    /// Whether a wait for an answer is long enough to be told.
    private var isSlow: Bool { elapsed >= 2 }

    /// Returns the number or reason of the status in at most `width` cells; numbers keep their columns.
    func fact(width: Int) -> StyledText {
        switch status {
        case .waiting: StyledText(isSkipped ? fit(["skipped", ""], width) : "", .dim)
        case .connecting:
            StyledText(fit((isSlow ? ["waiting for the answer", "answer"] : ["connecting"]) + [""], width), .dim)
        case .loading(let received, let total, let rate, _): transfer(received, total, rate, width)
        case .onDisk(let bytes), .inMemory(let bytes):
            sized(damage, bytes, width)
        case .retrying(let attempt, let count, _, let reason): attempts(reason, attempt, count, width)
        case .parked(_, let reason, let answer): StyledText(fit(waits(reason, answer), width), .warning)
        case .failed(let reason): StyledText(fit([reason, Self.short(reason), Self.shortest(reason)], width), .failure)
        case .duplicate: StyledText(fit(["duplicate", ""], width), .dim)
        case .gone: StyledText(fit("gone", width), .failure)
        case .folder(let count?) where count > 0 || contents == nil:
            StyledText(
                fit(["\(Units.count(count)) \(count == 1 ? "picture" : "pictures")", Units.count(count)], width), .dim)
        case .folder: StyledText(fit(contents.map { [$0, String($0.prefix { $0 != " " })] } ?? [""], width), .dim)
        }
    }

    /// Returns the size at its place, and before it what is wrong with the picture if there is room.
    private func sized(_ damage: String?, _ bytes: Int, _ width: Int) -> StyledText {
        let size = StyledText(fit(Units.bytes(bytes), width), .dim)
        guard let damage, CellWidth.of(damage) <= width else { return size }
        var text = StyledText(damage, .warning)
        guard text.width + 2 + Units.bytesWidth <= width else { return text }
        text.append(String(repeating: " ", count: 2 + Units.bytesWidth - size.width))
        text.append(size)
        return text
    }

    /// Returns the item's last result and the host's status, in ever shorter forms.
    private func waits(_ reason: String, _ answer: String) -> [String] {
        let brief = reason == "host asked for a pause" ? "host paused" : reason
        let forms = [(answer, reason), (Self.short(answer), reason), (Self.short(answer), brief)]
        return forms.map { $0.isEmpty ? $1 : "\($0) \(glyphs.dot) \($1)" } + [brief, "paused"]
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
        let (long, short) = ("try \(attempt) of \(count)", "\(attempt)/\(count)")
        guard !reason.isEmpty else { return StyledText(fit([long, short], width), .warning) }
        let brief = Self.short(reason)
        return StyledText(
            fit(
                ["\(reason), \(long)", "\(brief), \(long)", "\(brief), \(short)", brief, Self.shortest(reason)], width),
            .warning)
    }

    /// The words of a short reason that say most: `refused`, `no response`.
    private static func shortest(_ reason: String) -> String {
        let text = short(reason)
        if text.hasPrefix("connection ") { return String(text.dropFirst("connection ".count)) }
        return text.hasSuffix(" in time") ? String(text.dropLast(" in time".count)) : text
    }

    /// The beginning of a reason that says what it is: a status code without its phrase, or the words before a colon.
    private static func short(_ reason: String) -> String {
        let first = reason.prefix { $0 != " " }
        if first.count == 3, first.allSatisfy(\.isNumber) { return String(first) }
        return String(reason.prefix { $0 != ":" && $0 != "," })
    }

    private func fit(_ text: String, _ width: Int) -> String { fit([text], width) }

    /// Returns the first form that fits, else the beginning of the last one.
    private func fit(_ forms: [String], _ width: Int) -> String {
        forms.first { CellWidth.of($0) <= width }
            ?? Fitting.truncate(forms.last ?? "", to: width, ellipsis: glyphs.ellipsis)
    }
}

extension BrowseState {
    func statusText(of index: Int) -> StatusText {
        let status = statuses.status(of: index, at: now)
        return StatusText(
            status: status == .waiting ? pause(of: index) ?? status : status, now: now, glyphs: glyphs,
            isSkipped: isSkipped(index),
            elapsed: statuses.seconds(of: index, at: now), limit: options.answerTime,
            damage: list.facts[index].verdict.flatMap { [.incomplete, .corrupt].contains($0) ? $0.rawValue : nil },
            contents: folderTexts.summaries[index]?.first)
    }

    /// Returns the status of an item that nothing loads any more while its host is paused; nil if the host is not.
    private func pause(of index: Int) -> ItemStatus? {
        guard leftInPause.contains(index) else { return nil }
        let host = String(AddressParts(list.items.location(at: index)).host)
        let paused = hostBoard.hosts.filter { $0.isHost(of: host) }
        let seconds = paused.map { hostBoard.secondsLeft(of: $0, at: now) }.max() ?? 0
        return seconds > 0 ? .parked(seconds: seconds, reason: "host paused") : nil
    }
}
