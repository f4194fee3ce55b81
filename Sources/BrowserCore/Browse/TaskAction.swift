/// An action of the task panel.
enum TaskAction: Sendable, CaseIterable {
    case down, up, top, bottom
    case show, prioritize, postpone, cancel, retry, retryFailed, pausePrefetch
    case help, close

    /// Returns the action of a key.
    init?(_ key: Key) {
        guard let action = Self.allCases.first(where: { $0.keys.contains(key) }) else { return nil }
        self = action
    }

    /// Whether it applies to the task or host under the cursor.
    var isAboutOne: Bool { [.show, .prioritize, .postpone, .cancel, .retry].contains(self) }

    /// The title in the palette.
    var title: String { traits.title }
    var keys: [Key] { traits.keys }

    private var traits: (title: String, keys: [Key]) {
        switch self {
        case .down: ("next task", [.character("j"), .down])
        case .up: ("previous task", [.character("k"), .up])
        case .top: ("first task", [.home])
        case .bottom: ("last task", [.character("G"), .end])
        case .show: ("show its picture", [.enter])
        case .prioritize: ("download it first", [.character("+")])
        case .postpone: ("download it last", [.character("-")])
        case .cancel: ("cancel it", [.character("x")])
        case .retry: ("try it, or its host, again", [.character("r")])
        case .retryFailed: ("retry all failed", [.character("R")])
        case .pausePrefetch: ("pause prefetch", [.character("p")])
        case .help: ("all keys", [.character("?"), .function(1)])
        case .close: ("close the tasks", [.escape, .character("w"), .character("q")])
        }
    }
}
