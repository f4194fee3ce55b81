import Testing

@testable import FaultServer

@Suite(.timeLimit(.minutes(1))) struct FaultGateTests {
    @Test func `an open gate releases all waiting and later tasks`() async {
        let gate = FaultGate()
        await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { await gate.wait() } }
            gate.open()
        }
        await gate.wait()
    }

    @Test func `a cancelled task stops waiting`() async {
        let gate = FaultGate()
        let waiting = Task { await gate.wait() }
        waiting.cancel()
        await waiting.value
    }
}
