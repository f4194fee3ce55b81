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

    mutating func report(_ event: ReportedEvent) {
        switch event {
        case .start(let settings, resumed: _): begin(Self.xml(Redaction.display(settings.heading)))
        case .lineRejected(let line, let list, let reason), .partOmitted(let line, let list, let reason):
            add("line \(line)", list, line, problem: (kind: "line", text: reason))
        case .finished(let item, let outcome):
            let problem = outcome.failure.map { text in
                (kind: ItemReport(item, outcome).error?.kind.rawValue ?? "failed", text: text)
            }
            add(item.shown, item.list, item.line, problem: problem, isSkipped: outcome.status == "cancelled")
        case .finish: end()
        case .listGrew, .started, .progress, .retrying, .waits, .hostChanged, .tick, .asked, .interrupted, .suspend,
            .resume:
            break
        }
    }

    private func begin(_ name: String) {
        switch format {
        case .junit: print("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"\(name)\">")
        case .github: break
        case .tap: print("TAP version 13")
        }
    }

    private func end() {
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
