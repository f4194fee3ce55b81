import AlcedoScreen
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite(.timeLimit(.minutes(1)))
struct ProcessorStepTests {
    @Test(arguments: [
        ("color(brightness: 0.1)", "Brighter"), ("color(brightness: -0.1)", "Darker"),
        ("color(contrast: 1.3)", "More contrast"), ("color(saturation: 0.5)", "Less colour"), ("bw", "Black and white"),
        ("blur(6)", "Blur"), ("flip(vertical)", "Flip top-bottom"), ("tint(#c8643280)", "Tint"),
    ])
    func `a step has a readable title`(text: String, title: String) { #expect(ProcessorStep(text).title == title) }

    @Test(arguments: [
        ("color(brightness: 0.1)", 1, "color(brightness: 0.15)"),
        ("color(brightness: 0.1)", -3, "color(brightness: -0.05)"),
        ("color(contrast: 1.3)", 7, "color(contrast: 2)"),
        ("color(contrast: 1, saturation: 1)", -1, "color(contrast: 0.9, saturation: 1)"),
        ("blur(6)", 1, "blur(7)"), ("blur(0.5)", -1, "blur(0)"), ("round(20)", 1, "round(25)"),
        ("round(25%w, corners: tl tr)", -1, "round(20%w, corners: tl tr)"), ("border(4, white)", 1, "border(5, white)"),
        ("overlay(#0000ff, 0.3)", -1, "overlay(#0000ff, 0.2)"), ("rotate(90)", 1, "rotate(180)"),
        ("rotate(270)", 1, nil), ("bw", 1, nil), ("flip(horizontal)", 1, nil), ("blur(0)", -1, nil),
        ("blur(x)", 1, nil), ("color()", 1, nil), ("nonsense((", 1, nil),
    ])
    func `a value is adjusted by its step within its bounds`(text: String, steps: Int, new: String?) {
        #expect(ProcessorStep(text).adjusted(by: steps) == new)
    }

    private static let options = {
        var options = BrowseOptions()
        options.processors = ["bw", "color(brightness: 0.1)", "blur(6)"]
        return options
    }()

    @Test func `Left and Right change the value under the cursor and preview it at once`() {
        var browser = Browser(options: Self.options)
        browser.add(count: 3)
        browser.type("Pj")
        #expect(browser.press(.right).contains(.setProcessor("color(brightness: 0.15)")))
        #expect(browser.press(.left, .left).contains(.setProcessor("color(brightness: 0.05)")))
        #expect(browser.frame.text.contains("1  Brighter         color(brightness: 0.05)"))
        #expect(browser.frame.row(29).contains("← → value"))
        browser.type("k")
        browser.press(.right)
        #expect(browser.frame.row(28).contains("─ there is no value to change ─"))
        #expect(browser.press(.escape).contains(.setProcessor("")))
    }

    @Test func `a value in the chain replaces the offered one`() {
        let menu = ProcessorMenu(chain: "blur(2) |> blur(9)", offer: Self.options.processors)
        #expect(menu.entries == ["blur(9)", "bw", "color(brightness: 0.1)", "blur(2)"])
        #expect(menu.links == ["blur(2)", "blur(9)"])
    }
}
