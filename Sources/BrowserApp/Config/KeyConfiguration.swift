import BrowserCore

/// The section `[keys]`: the key bindings of the browser.
package struct KeyConfiguration: Sendable, Equatable {
    package var map = KeyMap.standard
    /// The actions whose keys were configured.
    var configured: Set<String> = []
}

extension ConfigurationSection {
    static let keys = ConfigurationSection(
        name: "keys",
        documentation:
            "The browser's keys: j, G, space, enter, esc, up, page-down, ctrl-d, alt-x, f1 and the like, or two "
            + "characters such as gg.",
        settings: KeyMap.standard.rows.map(KeySetting.init))
}

/// The setting for the keys of one action.
struct KeySetting: AnySetting {
    let name: String
    let documentation: String
    let standardValue: ConfigurationValue
    let variable: String? = nil

    init(_ row: KeyMap.Row) {
        name = row.action
        documentation = row.title.prefix(1).uppercased() + row.title.dropFirst() + "."
        standardValue = .texts(row.keys)
    }

    /// Reads a key or a list of keys that replace the keys of the action.
    func read(_ value: ConfigurationValue, into configuration: inout Configuration) throws(SettingProblem) {
        let keys: [String]
        switch value {
        case .text(let key): keys = [key]
        case .texts(let list): keys = list
        case .number(let digit) where (0...9).contains(digit):
            throw SettingProblem("takes keys between quotation marks: \"\(digit)\"")
        case .number, .flag, .other: throw SettingProblem("takes a key such as \"ctrl-d\" or a list of keys")
        }
        do throws(KeyMapError) { try configuration.keys.map.bind(keys, to: name) } catch { throw problem(error) }
        configuration.keys.configured.insert(name)
    }

    func value(setIn configuration: Configuration) -> ConfigurationValue? {
        configuration.keys.configured.contains(name) ? value(in: configuration) : nil
    }

    /// Returns the keys of the action, without those that were bound to another action.
    func value(in configuration: Configuration) -> ConfigurationValue {
        .texts(configuration.keys.map.rows.first { $0.action == name }?.keys ?? [])
    }

    func value(setBy environment: [String: String]) -> ConfigurationValue? { nil }

    private func problem(_ problem: KeyMapError) -> SettingProblem {
        switch problem {
        case .alreadyBound(let key, let other):
            return SettingProblem("takes '\(key)', which is already a key of \(other)")
        case .unknownAction: return SettingProblem("is not an action")
        case .unknownKey(let key):
            let nearest = NearestName.nearest(to: key, among: KeyMap.keyNames).map { "; the nearest is '\($0)'" }
            let expected = "takes keys such as j, G, space, page-down, ctrl-d, f1 or gg, not '\(key)'"
            return SettingProblem(expected + (nearest ?? ""))
        }
    }
}
