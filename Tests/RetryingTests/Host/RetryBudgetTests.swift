import Retrying
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RetryBudgetTests {
    private func taken(_ budget: inout RetryBudget, at now: Duration, tries: Int = 1000) -> Int {
        (0..<tries).count { _ in budget.withdrawRetry(at: now) }
    }

    @Test func `without requests the budget is the reserve`() {
        var budget = RetryBudget()
        #expect(taken(&budget, at: .zero) == 10)
    }

    @Test func `a tenth of the requests is added to the budget`() {
        var budget = RetryBudget()
        for _ in 0..<205 { budget.recordRequest(at: .zero) }
        #expect(taken(&budget, at: .seconds(1)) == 30)
    }

    @Test func `retries leave the window`() {
        var budget = RetryBudget()
        #expect(taken(&budget, at: .seconds(3)) == 10)
        #expect(taken(&budget, at: .seconds(122)) == 0)
        #expect(taken(&budget, at: .seconds(130)) == 10)
    }

    @Test func `refunded retries can be taken again, up to the number taken`() {
        var budget = RetryBudget()
        #expect(taken(&budget, at: .zero) == 10)
        budget.refundRetry(at: .seconds(60))
        #expect(taken(&budget, at: .seconds(60)) == 1)
        for _ in 0..<20 { budget.refundRetry(at: .seconds(60)) }
        #expect(taken(&budget, at: .seconds(60)) == 10)
    }

    @Test func `requests leave the window too`() {
        var budget = RetryBudget()
        for _ in 0..<100 { budget.recordRequest(at: .zero) }
        #expect(taken(&budget, at: .seconds(130)) == 10)
    }

    @Test(arguments: [Double.nan, -1, -Double.infinity])
    func `an invalid ratio counts as zero`(ratio: Double) {
        var budget = RetryBudget(ratio: ratio, reserve: -3)
        budget.recordRequest(at: .zero)
        #expect(taken(&budget, at: .zero) == 0)
    }

    @Test func `extreme values do not trap`() {
        for window in [Duration.zero, .seconds(-1), .seconds(Int64.max)] {
            var budget = RetryBudget(ratio: .infinity, reserve: .max, window: window)
            for now in [Duration.seconds(-1), .zero, .seconds(Int64.max)] {
                budget.recordRequest(at: now)
                let isTaken = budget.withdrawRetry(at: now)
                #expect(isTaken)
            }
        }
    }
}
