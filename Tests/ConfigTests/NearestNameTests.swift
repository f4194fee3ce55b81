import Testing

@testable import AlcedoConfig

@Suite(.timeLimit(.minutes(1))) struct NearestNameTests {
    private let known = ["retries", "delay", "max-delay", "jobs"]

    @Test(arguments: [
        ("retrys", "retries"), ("dely", "delay"), ("maxdelay", "max-delay"), ("max_delay", "max-delay"),
        ("JOBS", "jobs"),
        ("job", "jobs"), ("ojbs", "jobs"), ("joqs", "jobs"),
    ])
    func `the nearest name is found despite typing errors`(name: String, meant: String) {
        #expect(NearestName.nearest(to: name, among: known) == meant)
    }

    @Test(arguments: ["", "colour", "x", "retry-after", "jo", "bsjo"])
    func `a word far from all names has no nearest name`(name: String) {
        #expect(NearestName.nearest(to: name, among: known) == nil)
    }

    @Test func `the hint asks for the nearest name, and without one there is none`() {
        #expect(NearestName.hint(for: "retrys", among: known) == "; did you mean retries?")
        #expect(NearestName.hint(for: "x", among: ["a1", "b2"]).isEmpty)
    }

    @Test func `a very long name has no nearest name`() {
        #expect(NearestName.nearest(to: String(repeating: "x", count: 100_000), among: known) == nil)
    }
}
