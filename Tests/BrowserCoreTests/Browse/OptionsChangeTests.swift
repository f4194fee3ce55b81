import AlcedoScreen
import Testing

@testable import AlcedoBrowserCore

/// Tests the effects of new options on a running browser.
@Suite(.timeLimit(.minutes(1))) struct OptionsChangeTests {
    private var browser = Browser()

    init() { browser.add(count: 20) }

    private func options(_ change: (inout BrowseOptions) -> Void) -> BrowseOptions {
        var options = browser.state.options
        change(&options)
        return options
    }

    @Test mutating func `unchanged options have no effect`() {
        #expect(browser.send(.optionsChanged(browser.state.options)).isEmpty)
    }

    @Test mutating func `switching prefetch off cancels the order, switching it on sends a new one`() {
        // Given an order
        #expect(!browser.state.prefetch.order.isEmpty)
        // When prefetching is switched off
        let off = browser.send(.optionsChanged(options { $0.prefetches = false }))
        // Then it is cancelled, and no new one follows
        #expect(off == [.prefetch([])])
        #expect(!browser.press(.character("j")).contains { if case .prefetch = $0 { true } else { false } })
        // And a new one follows when it is switched on
        let on = browser.send(.optionsChanged(options { $0.prefetches = true }))
        #expect(on.contains { if case .prefetch(let items) = $0 { !items.isEmpty } else { false } })
    }

    @Test mutating func `another processor chain is set and the picture is loaded again`() {
        let effects = browser.send(.optionsChanged(options { $0.processor = "bw" }))
        #expect(effects.contains(.setProcessor("bw")))
        #expect(effects.load?.item == ItemID(0))
    }

    @Test mutating func `a changed key map takes effect at once`() throws {
        var keys = KeyMap.standard
        try keys.bind(["X"], to: "quit")
        browser.send(.optionsChanged(options { $0.keyMap = keys }))
        #expect(browser.press(.character("q")).isEmpty)
        #expect(browser.press(.character("X")) == [.quit])
    }
}
