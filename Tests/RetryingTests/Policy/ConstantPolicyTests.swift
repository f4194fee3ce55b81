import Retrying
import Testing

struct ConstantPolicyTests {
    @Test func everyDelayIsTheSame() {
        #expect(delays(of: .constant(), count: 3) == Array(repeating: .seconds(1), count: 3))
        #expect(delays(of: .constant(.seconds(7)), count: 3) == Array(repeating: .seconds(7), count: 3))
    }

    @Test func noneNeverWaits() {
        #expect(delays(of: .none, count: 3) == Array(repeating: .zero, count: 3))
    }
}
