import Testing

@testable import AlcedoLists

@Suite(.timeLimit(.minutes(1))) struct SourceSetTests {
    @Test(arguments: [
        ("a.png 1x, b.png 2x", "b.png", "a.png"), ("a.png 800w,b.png 300w, c.png 500w", "a.png", "b.png"),
        ("a.png, b.png 1.5x", "b.png", "a.png"), ("a,b.png 2x, c.png", "a,b.png", "c.png"),
        ("a.png 5w (x, y), b.png 6w", "b.png", "a.png"),
        ("data:image/png;base64,AA== 1x,b.png 9x", "b.png", "data:image/png;base64,AA=="),
        ("a.png -3x, b.png 0w, c.png nanx", "a.png", "a.png"),
    ])
    func `the largest and the smallest candidate are chosen`(text: String, largest: String, smallest: String) {
        let set = SourceSet(text)
        #expect(set.largest == largest)
        #expect(set.smallest == smallest)
    }

    @Test func `a single candidate has no smaller version`() {
        #expect(SourceSet(" a.png ").largest == "a.png")
        #expect(SourceSet("a.png").smallest == nil)
        #expect(SourceSet(" ,, ").largest == nil)
    }
}
