import AlcedoConfig
import AlcedoLists
import AlcedoScreen
import AlcedoSupport
import ImageLoading

/// The form in which the results of `check` are printed for another program.
package enum CheckFormat: String, Sendable, CaseIterable {
    /// A test case for each address, as CI servers read them.
    case junit
    /// An annotation for each failure, as GitHub's workflows read them.
    case github
    /// Test Anything Protocol, version 13.
    case tap
}

/// Prints the result of each picture in a ``CheckFormat`` on standard output.
///
/// Sources: testmoapp/junitxml; GitHub, "Workflow commands"; testanything.org, version 13.
struct CheckReporter: PrefetchReporter {
    let console: Console
    let format: CheckFormat
    private var count = 0

    init(console: Console, format: CheckFormat) { (self.console, self.format) = (console, format) }

    func start(_ settings: PrefetchSettings, resumed: Int) {
        switch format {
        case .junit:
            let name = Self.xml(Redaction.display(settings.heading))
            print("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"\(name)\">")
        case .github: break
        case .tap: print("TAP version 13")
        }
    }

    mutating func lineRejected(_ line: Int, list: String, reason: String) {
        add("line \(line)", list, line, problem: (kind: "line", text: reason))
    }

    mutating func finished(_ item: ItemRecord, _ outcome: ItemOutcome) {
        let problem = outcome.failure.map { text in
            (kind: ItemReport(item, outcome).error?.kind.rawValue ?? "failed", text: text)
        }
        add(item.shown, item.list, item.line, problem: problem, isSkipped: outcome.status == "cancelled")
    }

    mutating func finish(_ tally: PrefetchTally) {
        switch format {
        case .junit: print("</testsuite>\n</testsuites>")
        case .github: break
        case .tap: print("1..\(count)")
        }
    }

    private mutating func add(
        _ name: String, _ list: String, _ line: Int, problem: (kind: String, text: String)?, isSkipped: Bool = false
    ) {
        count += 1
        switch format {
        case .junit:
            let head = "<testcase classname=\"\(Self.xml(list))\" name=\"\(Self.xml(name))\""
            if let problem {
                print("\(head)><failure type=\"\(problem.kind)\" message=\"\(Self.xml(problem.text))\"/></testcase>")
            } else {
                print(head + (isSkipped ? "><skipped/></testcase>" : "/>"))
            }
        case .github:
            guard let problem else { return }
            let place = line > 0 ? " file=\(Self.workflow(list, isProperty: true)),line=\(line)" : ""
            print("::error\(place)::\(Self.workflow("\(name): \(problem.text)"))")
        case .tap:
            let text = name.replacing("#", with: "\\#")
            guard let problem else { return print("ok \(count) - \(text)\(isSkipped ? " # SKIP" : "")") }
            let message = JSONLine.text(of: problem.text) ?? "\"\""
            print("not ok \(count) - \(text)\n  ---\n  kind: \(problem.kind)\n  message: \(message)\n  ...")
        }
    }

    private func print(_ text: String) { console.output(bytes: Array((text + "\n").utf8)) }

    private static func xml(_ text: String) -> String {
        SafeText.clean(text, limit: .max)
            .replacingScalars(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"])
    }

    private static func workflow(_ text: String, isProperty: Bool = false) -> String {
        SafeText.clean(text, limit: .max)
            .replacingScalars(["%": "%25"].merging(isProperty ? [":": "%3A", ",": "%2C"] : [:]) { first, _ in first })
    }
}

/// Several reporters of one run.
struct ReporterGroup: PrefetchReporter {
    var all: [any PrefetchReporter]

    var followsTransfers: Bool { all.contains { $0.followsTransfers } }

    private mutating func forEach(_ body: (inout any PrefetchReporter) -> Void) {
        for index in all.indices { body(&all[index]) }
    }

    mutating func start(_ settings: PrefetchSettings, resumed: Int) { forEach { $0.start(settings, resumed: resumed) } }
    mutating func listGrew(items: Int, isFinal: Bool) { forEach { $0.listGrew(items: items, isFinal: isFinal) } }
    mutating func lineRejected(_ line: Int, list: String, reason: String) {
        forEach { $0.lineRejected(line, list: list, reason: reason) }
    }
    mutating func partOmitted(_ line: Int, list: String, reason: String) {
        forEach { $0.partOmitted(line, list: list, reason: reason) }
    }
    mutating func started(_ item: ItemRecord) { forEach { $0.started(item) } }
    mutating func progress(_ item: ItemRecord, _ progress: DownloadProgress) { forEach { $0.progress(item, progress) } }
    mutating func retrying(_ item: ItemRecord, error: ImageError, delay: Duration) {
        forEach { $0.retrying(item, error: error, delay: delay) }
    }
    mutating func waits(_ item: ItemRecord) { forEach { $0.waits(item) } }
    mutating func hostChanged(_ event: HostEvent) { forEach { $0.hostChanged(event) } }
    mutating func finished(_ item: ItemRecord, _ outcome: ItemOutcome) { forEach { $0.finished(item, outcome) } }
    mutating func tick(_ tally: PrefetchTally) { forEach { $0.tick(tally) } }
    mutating func asked(_ tally: PrefetchTally) { forEach { $0.asked(tally) } }
    mutating func interrupted(by signal: Int32) { forEach { $0.interrupted(by: signal) } }
    mutating func suspend() { forEach { $0.suspend() } }
    mutating func resume() { forEach { $0.resume() } }
    mutating func finish(_ tally: PrefetchTally) { forEach { $0.finish(tally) } }
}
