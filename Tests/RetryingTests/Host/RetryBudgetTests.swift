import Retrying
import Testing

struct RetryBudgetTests {
    private func taken(_ budget: inout RetryBudget, at now: Duration, tries: Int = 1000) -> Int {
        (0..<tries).count { _ in budget.takeRetry(at: now) }
    }

    @Test func withoutRequestsTheReserveIsAllThereIs() {
        var budget = RetryBudget()
        #expect(taken(&budget, at: .zero) == 10)
    }

    @Test func aTenthOfTheRequestsIsAddedToIt() {
        var budget = RetryBudget()
        for _ in 0..<205 { budget.recordRequest(at: .zero) }
        #expect(taken(&budget, at: .seconds(1)) == 30)
    }

    @Test func theWindowMovesOn() {
        var budget = RetryBudget()
        #expect(taken(&budget, at: .seconds(3)) == 10)
        #expect(taken(&budget, at: .seconds(122)) == 0)
        #expect(taken(&budget, at: .seconds(130)) == 10)
    }

    @Test func `a retry that was put back can be taken again, and no more than were taken come back`() {
        var budget = RetryBudget()
        #expect(taken(&budget, at: .zero) == 10)
        budget.putBackRetry(at: .seconds(60))
        #expect(taken(&budget, at: .seconds(60)) == 1)
        for _ in 0..<20 { budget.putBackRetry(at: .seconds(60)) }
        #expect(taken(&budget, at: .seconds(60)) == 10)
    }

    @Test func requestsLeaveTheWindowToo() {
        var budget = RetryBudget()
        for _ in 0..<100 { budget.recordRequest(at: .zero) }
        #expect(taken(&budget, at: .seconds(130)) == 10)
    }

    @Test(arguments: [Double.nan, -1, -Double.infinity])
    func aRatioThatIsNoneCountsAsZero(ratio: Double) {
        var budget = RetryBudget(ratio: ratio, reserve: -3)
        budget.recordRequest(at: .zero)
        #expect(taken(&budget, at: .zero) == 0)
    }

    @Test func extremesDoNotTrap() {
        for window in [Duration.zero, .seconds(-1), .seconds(Int64.max)] {
            var budget = RetryBudget(ratio: .infinity, reserve: .max, window: window)
            for now in [Duration.seconds(-1), .zero, .seconds(Int64.max)] {
                budget.recordRequest(at: now)
                let isTaken = budget.takeRetry(at: now)
                #expect(isTaken)
            }
        }
    }
}
