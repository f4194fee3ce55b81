import AlcedoConfig
import Glibc
import Testing

@Suite(.timeLimit(.minutes(1))) struct SignalWatchTests {
    @Test func `a watched signal is delivered to the watcher instead of ending the process`() async {
        let watch = SignalWatch([SIGUSR1, SIGUSR2])
        var received = watch.received.makeAsyncIterator()
        for signal in [SIGUSR2, SIGUSR1, SIGUSR1] {
            kill(getpid(), signal)
            #expect(await received.next() == signal)
        }
    }
}
