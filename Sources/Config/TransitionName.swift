import Raster

/// The named transitions.
package enum TransitionName: String, Sendable, CaseIterable {
    case none, fade, wipe, dissolve
    case flipFromLeft = "flip-left"
    case flipFromRight = "flip-right"
    case flipFromTop = "flip-top"
    case flipFromBottom = "flip-bottom"

    /// Returns nil for a custom effect.
    init?(_ effect: Transition) {
        switch effect {
        case .none: self = .none
        case .fade: self = .fade
        case .wipe: self = .wipe
        case .dissolve: self = .dissolve
        case .flipFromLeft: self = .flipFromLeft
        case .flipFromRight: self = .flipFromRight
        case .flipFromTop: self = .flipFromTop
        case .flipFromBottom: self = .flipFromBottom
        case .custom: return nil
        }
    }

    /// Returns all names, starting with the name of an effect.
    package static func names(after effect: Transition) -> [String] {
        let names = allCases.map(\.rawValue)
        let first = TransitionName(effect).flatMap(allCases.firstIndex) ?? 0
        return Array(names[first...] + names[..<first])
    }

    package var effect: Transition {
        switch self {
        case .none: .none
        case .fade: .fade
        case .wipe: .wipe
        case .dissolve: .dissolve
        case .flipFromLeft: .flipFromLeft
        case .flipFromRight: .flipFromRight
        case .flipFromTop: .flipFromTop
        case .flipFromBottom: .flipFromBottom
        }
    }
}
