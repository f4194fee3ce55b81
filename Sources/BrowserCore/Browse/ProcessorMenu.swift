/// The menu of processors: changes apply at once, and Esc reverts them.
struct ProcessorMenu: Sendable, Equatable {
    /// The chain before the menu opened.
    let before: String
    private(set) var chosen = 0
    /// The steps of the chain in order.
    private(set) var links: [String]
    /// The entries: steps of the chain that match no offered one, then the offered ones with their current values.
    private(set) var entries: [String]

    private static let arrow = " |> "

    init(chain: String, offer: [String]) {
        before = chain
        links = Self.links(of: chain)
        entries = offer
        var own: [String] = []
        for link in links {
            let place = entries.firstIndex { entry in
                !links.contains(entry) && ProcessorStep(entry).isSameKind(as: ProcessorStep(link))
            }
            if entries.contains(link) { continue }
            if let place { entries[place] = link } else { own.append(link) }
        }
        entries = own + entries
    }

    var chain: String { links.joined(separator: Self.arrow) }

    /// The step under the cursor.
    var step: ProcessorStep? { entries.indices.contains(chosen) ? ProcessorStep(entries[chosen]) : nil }

    mutating func move(by distance: Int) {
        let last = max(0, entries.count - 1)
        chosen = min(last, max(0, min(chosen, last) + distance))
    }

    mutating func choose(_ place: Int) { chosen = max(0, place) }

    /// Adds the selected step to the end of the chain, or removes it.
    mutating func toggle() {
        guard entries.indices.contains(chosen) else { return }
        if let place = links.firstIndex(of: entries[chosen]) {
            links.remove(at: place)
        } else {
            links.append(entries[chosen])
        }
    }

    /// Changes the value under the cursor and adds its step to the chain.
    ///
    /// - Returns: false if there is no value to change.
    mutating func adjust(by steps: Int) -> Bool {
        guard let new = step?.adjusted(by: steps) else { return false }
        if let place = links.firstIndex(of: entries[chosen]) { links[place] = new } else { links.append(new) }
        entries[chosen] = new
        return true
    }

    mutating func clear() { links = [] }

    /// Splits a chain at arrows outside brackets.
    private static func links(of chain: String) -> [String] {
        var (links, link, depth) = ([String](), "", 0)
        var previous: Character?
        for character in chain {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if character == ">", previous == "|", depth == 0 {
                link.removeLast()
                links.append(link)
                link = ""
            } else {
                link.append(character)
            }
            previous = character
        }
        return (links + [link]).map { $0.split(separator: " ").joined(separator: " ") }.filter { !$0.isEmpty }
    }
}
