/// What can be asked of the task panel.
enum TaskAction: Sendable, CaseIterable {
    case down, up, top, bottom
    case show, prioritize, postpone, cancel, retry, retryFailed, pausePrefetch
    case help, close

    /// The one that a key does.
    init?(_ key: Key) {
        guard let action = Self.allCases.first(where: { $0.keys.contains(key) }) else { return nil }
        self = action
    }

    /// Whether it does something with what the cursor stands at.
    var isAboutOne: Bool { [.show, .prioritize, .postpone, .cancel, .retry].contains(self) }

    /// What the palette calls it.
    var title: String {
        switch self {
        case .down: "next task"
        case .up: "previous task"
        case .top: "first task"
        case .bottom: "last task"
        case .show: "show its picture"
        case .prioritize: "download it first"
        case .postpone: "download it last"
        case .cancel: "cancel it"
        case .retry: "try it, or its host, again"
        case .retryFailed: "retry all failed"
        case .pausePrefetch: "pause prefetch"
        case .help: "all keys"
        case .close: "close the tasks"
        }
    }

    var keys: [Key] {
        switch self {
        case .down: [.character("j"), .down]
        case .up: [.character("k"), .up]
        case .top: [.home]
        case .bottom: [.character("G"), .end]
        case .show: [.enter]
        case .prioritize: [.character("+")]
        case .postpone: [.character("-")]
        case .cancel: [.character("x")]
        case .retry: [.character("r")]
        case .retryFailed: [.character("R")]
        case .pausePrefetch: [.character("p")]
        case .help: [.character("?"), .function(1)]
        case .close: [.escape, .character("w"), .character("q")]
        }
    }
}
