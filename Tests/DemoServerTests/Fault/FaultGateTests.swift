import Testing

@testable import DemoServer

@Suite(.timeLimit(.minutes(1))) struct FaultGateTests {
    @Test func openGateLetsThroughEveryoneWhoWaitsOrComes() async {
        let gate = FaultGate()
        await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { await gate.wait() } }
            gate.open()
        }
        await gate.wait()
    }

    @Test func cancelledTaskWaitsNoLonger() async {
        let gate = FaultGate()
        let waiting = Task { await gate.wait() }
        waiting.cancel()
        await waiting.value
    }
}
