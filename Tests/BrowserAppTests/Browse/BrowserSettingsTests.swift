import AlcedoTerminal
import Glibc
import TerminalGraphics
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

@Suite(.timeLimit(.minutes(1))) struct BrowserSettingsTests {
    @Test(arguments: [
        ("xterm", "C.UTF-8", false), ("xterm", "C", true), ("linux", "C.UTF-8", true),
    ])
    func `ASCII is used where the locale or the Linux console requires it`(
        terminal: String, locale: String, isASCII: Bool
    ) {
        let environment = ["TERM": terminal, "LANG": locale]
        #expect(Configuration().isASCII(environment: environment) == isASCII)
    }

    @Test(arguments: ["", "none", "tektronix", "Sixel"])
    func `unknown graphics names are rejected`(name: String) {
        #expect(GraphicsMethod(rawValue: name) == nil)
    }

    @Test func `every terminal error is explained`() {
        #expect(TerminalError.incapable(terminal: "").explanation == "TERM is not set")
        #expect(TerminalError.incapable(terminal: "dumb").explanation.contains("TERM=dumb"))
        #expect(TerminalError.unknownTerminal("x1").explanation.contains("TERM=x1"))
        #expect(TerminalError.system(call: "open", code: ENOENT).explanation == "open: No such file or directory")
        #expect(!TerminalError.noTerminal.explanation.isEmpty && !TerminalError.alreadyOpen.explanation.isEmpty)
    }
}
