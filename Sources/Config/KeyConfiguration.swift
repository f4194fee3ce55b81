import AlcedoBrowserCore

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

    /// Reads a key or a list of keys that replace the keys of the action; keys that cannot be bound are left out, and
    /// with none left the action keeps its keys.
    func read(_ value: ConfigurationValue, into configuration: inout Configuration) throws(SettingProblem) {
        let keys: [String]
        switch value {
        case .text(let key): keys = [key]
        case .texts(let list): keys = list
        case .number(let digit) where (0...9).contains(digit):
            throw SettingProblem("takes keys between quotation marks: \"\(digit)\"")
        case .number, .flag, .other: throw SettingProblem("takes a key such as \"ctrl-d\" or a list of keys")
        }
        var (good, problems) = ([String](), [KeyMapError]())
        for key in keys {
            var map = configuration.keys.map
            do throws(KeyMapError) {
                try map.bind([key], to: name)
                good.append(key)
            } catch { problems.append(error) }
        }
        if !good.isEmpty || keys.isEmpty {
            do throws(KeyMapError) { try configuration.keys.map.bind(good, to: name) } catch { problems.append(error) }
            configuration.keys.configured.insert(name)
        }
        guard problems.isEmpty else { throw SettingProblem(problems.map(text).joined(separator: "; it also ")) }
    }

    func value(setIn configuration: Configuration) -> ConfigurationValue? {
        configuration.keys.configured.contains(name) ? value(in: configuration) : nil
    }

    /// Returns the keys of the action, without those that were bound to another action.
    func value(in configuration: Configuration) -> ConfigurationValue {
        .texts(configuration.keys.map.rows.first { $0.action == name }?.keys ?? [])
    }

    func value(setBy environment: [String: String]) -> ConfigurationValue? { nil }

    private func text(of problem: KeyMapError) -> String {
        switch problem {
        case .alreadyBound(let key, let other): "takes '\(key)', which is already a key of \(other)"
        case .unknownAction: "is not an action"
        case .unknownKey(let key):
            if let nearest = NearestName.nearest(to: key, among: KeyMap.keyNames) {
                "takes '\(key)', which is no key; did you mean \(nearest)?"
            } else {
                "takes keys such as j, G, space, page-down, ctrl-d, f1 or gg, not '\(key)'"
            }
        }
    }
}

/// Suggests the name that was probably meant.
enum NearestName {
    /// Returns "; did you mean x?"; empty if no name is similar.
    static func hint(for name: String, among known: [String]) -> String {
        nearest(to: name, among: known).map { "; did you mean \($0)?" } ?? ""
    }

    /// Returns the known name with the smallest edit distance, at most a third of its length; nil if none is that
    /// similar.
    static func nearest(to name: String, among known: [String]) -> String? {
        let near = known.map { ($0, distance(Array(name.lowercased().prefix(64)), Array($0))) }
            .filter { $1 <= max(1, $0.count / 3) }
        return near.min { $0.1 < $1.1 }?.0
    }

    /// Returns the edit distance with transpositions (Damerau, 1964), computed row by row.
    private static func distance(_ first: [Character], _ second: [Character]) -> Int {
        var (before, above) = ([Int](), Array(0...second.count))
        for i in first.indices {
            var row = [i + 1]
            for j in second.indices {
                let replaced = above[j] + (first[i] == second[j] ? 0 : 1)
                var fewest = min(replaced, above[j + 1] + 1, row[j] + 1)
                let isSwapped = i > 0 && j > 0 && first[i] == second[j - 1] && first[i - 1] == second[j]
                if isSwapped { fewest = min(fewest, before[j - 1] + 1) }
                row.append(fewest)
            }
            (before, above) = (above, row)
        }
        return above[second.count]
    }
}
