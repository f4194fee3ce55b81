import BrowserCore
import TOMLKit
import Terminal

/// Reads a theme file: `base`, the name of a built-in theme, and colours for some roles.
enum ThemeReader {
    private static let example = "a colour such as \"#5fd7d7\", a number from 0 to 255, a name such as red or default"

    /// Reads a theme.
    ///
    /// - Throws: All faults; for invalid TOML only the syntax error.
    static func read(_ text: String) throws(ConfigurationFaults) -> ThemeChoice {
        let text = try TOMLText(text, kind: "theme")
        var list = FaultList()
        var base = ThemeChoice.auto
        var colors: [ThemeToken: ThemeColor] = [:]
        for key in text.table.keys where !list.isFull {
            let value = ConfigurationValue(text.table[key])
            let place = text.positions.value(of: [key])
            if let token = ThemeToken(rawValue: key) {
                colors[token] = color(value)
                if colors[token] == nil { list.add(fault(of: token, value), at: place) }
            } else if key != "base" {
                list.add(unknown(key), at: text.positions.key([key]))
            } else if let known = choice(value) {
                base = known
            } else {
                list.add(fault(ofBase: value), at: place)
            }
        }
        try list.check()
        return base.with(colors)
    }

    private static func color(_ value: ConfigurationValue) -> ThemeColor? {
        switch value {
        case .number(let number): UInt8(exactly: number).map(ThemeColor.init(number:))
        case .text(let text): ThemeColor(text)
        case .flag, .texts, .other: nil
        }
    }

    private static func choice(_ value: ConfigurationValue) -> ThemeChoice? {
        guard case .text(let name) = value else { return nil }
        return ThemeChoice.named.first { $0.name == name }?.choice
    }

    private static func fault(of token: ThemeToken, _ value: ConfigurationValue) -> String {
        "\(token.rawValue) takes \(example), not \(value.quoted)" + hint(value, ThemeColor.names + ["default"])
    }

    private static func fault(ofBase value: ConfigurationValue) -> String {
        let names = ThemeChoice.named.map(\.name)
        return "base takes \(names.joined(separator: ", ")), not \(value.quoted)" + hint(value, names)
    }

    private static func hint(_ value: ConfigurationValue, _ names: [String]) -> String {
        guard case .text(let text) = value, let nearest = NearestName.nearest(to: text, among: names) else { return "" }
        return "; the nearest is '\(nearest)'"
    }

    private static func unknown(_ key: String) -> String {
        "there is no role '\(key)'" + NearestName.hint(for: key, among: ThemeToken.allCases.map(\.rawValue) + ["base"])
    }
}
