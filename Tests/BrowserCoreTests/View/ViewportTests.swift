import AlcedoScreen
import Testing

@testable import AlcedoBrowserCore

@Suite(.timeLimit(.minutes(1)))
struct ViewportTests {
    @Test
    func `the cursor stays three rows from the edge while there are more rows`() {
        var viewport = Viewport()
        viewport.move(to: 7, count: 100, height: 10)
        #expect(viewport.top == 1)
        viewport.move(to: 99, count: 100, height: 10)
        #expect(viewport.visible(count: 100, height: 10) == 90..<100)
    }

    @Test
    func `moves stop at both ends of the list`() {
        var viewport = Viewport()
        viewport.move(by: .min, count: 5, height: 3)
        #expect(viewport.cursor == 0)
        viewport.move(by: 1, count: 5, height: 3)
        viewport.move(by: .max, count: 5, height: 3)
        #expect(viewport.cursor == 4)
        viewport.move(to: 3, count: 0, height: 3)
        #expect(viewport.cursor == 0)
        #expect(viewport.visible(count: 0, height: 3).isEmpty)
    }

    @Test
    func `a jump does not change the direction of travel`() {
        var viewport = Viewport()
        viewport.move(to: 4, count: 9, height: 3)
        viewport.move(to: 2, count: 9, height: 3)
        #expect(!viewport.isForward)
        viewport.jump(to: 8, count: 9, height: 3)
        #expect(!viewport.isForward)
    }
}
