import BrowserCore
import ImageLoading
import Retrying

extension HostEvent.Change {
    /// The change in a few words.
    var text: String {
        switch self {
        case .parked(let pause): "asked for a pause of \(pause.shortText)"
        case .slowed(let rate):
            "refuses some requests as too many; slowed down to \(Units.tenths(rate.tenths)) requests/s"
        case .circuitOpened(let pause): "keeps failing; next try in \(pause.shortText)"
        case .givenUp: "has failed for too long; its pictures fail at once"
        case .resumed: "answers again"
        }
    }

    /// The state after the change, until the next one; nil if there is nothing to report.
    var stateText: String? {
        switch self {
        case .parked: "asked for a pause"
        case .slowed(let rate): "slowed down to \(Units.tenths(rate.tenths)) requests/s"
        case .circuitOpened: "keeps failing"
        case .givenUp: "has failed for too long; its pictures fail at once"
        case .resumed: nil
        }
    }
}

extension HostRejection {
    /// Why an item waits for its host, in a few words.
    var reason: String {
        switch self {
        case .parked: "host asked for a pause"
        case .paced: "rate limit"
        case .slowed: "host slowed down"
        case .circuitOpen: "host failing"
        case .unavailable: "host given up"
        case .retryBudgetExhausted: "too many retries"
        }
    }
}

extension Double {
    /// Tenths, rounded and clamped; 0 for NaN.
    var tenths: Int { isNaN ? 0 : Int(Swift.min(Swift.max(0, self * 10), 1e12).rounded()) }

    /// The whole part, clamped to ±10^15 because a damaged index may contain any time; 0 for NaN.
    var whole: Int { isNaN ? 0 : Int(Swift.min(1e15, Swift.max(-1e15, self))) }
}

extension Duration {
    /// Seconds, rounded up.
    var wholeSeconds: Int { Int(clamping: components.seconds + (components.attoseconds > 0 ? 1 : 0)) }

    var shortText: String { Units.duration(seconds: wholeSeconds) }
}
