import Testing

@testable import BrowserApp

@Suite struct NearestNameTests {
    private let known = ["retries", "delay", "max-delay", "jobs"]

    @Test(arguments: [
        ("retrys", "retries"), ("dely", "delay"), ("maxdelay", "max-delay"), ("max_delay", "max-delay"),
        ("JOBS", "jobs"),
        ("job", "jobs"), ("ojbs", "jobs"), ("joqs", "jobs"),
    ])
    func aSlipIsFound(name: String, meant: String) { #expect(NearestName.nearest(to: name, among: known) == meant) }

    @Test(arguments: ["", "colour", "x", "retry-after", "jo", "bsjo"])
    func whatIsFarFromAllIsLikeNone(name: String) { #expect(NearestName.nearest(to: name, among: known) == nil) }

    @Test func withoutANearNameAllAreTold() {
        #expect(NearestName.hint(for: "x", among: ["a1", "b2"]) == "; there are a1, b2")
        #expect(NearestName.hint(for: "x", among: []).isEmpty)
    }

    @Test func aVeryLongNameIsNearNone() {
        #expect(NearestName.nearest(to: String(repeating: "x", count: 100_000), among: known) == nil)
    }
}
