import Testing

@testable import Retrying

@Suite(.timeLimit(.minutes(1)))
struct ConditionBoardTests {
    @Test func `all conditions must be true`() {
        var board = ConditionBoard(count: 2)
        #expect(board.verdict == .unmet)
        board.report(true, of: 0)
        #expect(board.verdict == .unmet)
        board.report(true, of: 1)
        #expect(board.verdict == .met)
        board.report(false, of: 0)
        #expect(board.verdict == .unmet)
    }

    @Test func `each time the conditions stop being met is counted`() {
        var board = ConditionBoard(count: 2)
        for value in [true, false, true] {
            board.report(value, of: 0)
            board.report(value, of: 1)
        }
        #expect(board.verdict == .met)
        #expect(board.lapses == 1)
    }

    @Test func `an empty board counts as met`() {
        #expect(ConditionBoard(count: 0).verdict == .met)
    }

    @Test func `a condition that ends true stays true, one that ends false ends the board`() {
        var board = ConditionBoard(count: 2)
        board.report(true, of: 0)
        board.finish(0)
        board.report(true, of: 1)
        #expect(board.verdict == .met)
        board.report(false, of: 1)
        board.finish(1)
        #expect(board.verdict == .ended)
    }
}
