import AlcedoTerminal

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

extension Inbox {
    /// All messages from now on to the first that meets the condition, and what came with it.
    func messages(until condition: (Message) -> Bool) async -> [Message] {
        var all = drain()
        while !all.contains(where: condition) {
            for await _ in wakes { break }
            all += drain()
        }
        return all
    }
}
