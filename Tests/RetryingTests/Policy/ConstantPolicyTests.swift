import Retrying
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ConstantPolicyTests {
    @Test func `every delay is constant`() {
        #expect(delays(of: .constant(), count: 3) == Array(repeating: .seconds(1), count: 3))
        #expect(delays(of: .constant(.seconds(7)), count: 3) == Array(repeating: .seconds(7), count: 3))
    }

    @Test func `the policy none has no delays`() {
        #expect(delays(of: .none, count: 3) == Array(repeating: .zero, count: 3))
    }
}
