import Testing

/// Holds the suites that use curses, which keeps its state in globals: they run one after the other.
@Suite(.serialized, .timeLimit(.minutes(5)))
enum OneScreenAtATime {}
