/// The menu of processors: what is chosen there is seen at once, and taken back with Esc.
struct ProcessorMenu: Sendable, Equatable {
    /// The chain that held before.
    let before: String
    private(set) var chosen = 0
    /// The chain's links, in order.
    private(set) var links: [String]

    private static let arrow = " |> "

    init(chain: String) {
        before = chain
        links = Self.links(of: chain)
    }

    var chain: String { links.joined(separator: Self.arrow) }

    /// What the menu lists: the links that are no part of the offer first, then the offer.
    func entries(_ offer: [String]) -> [String] { Self.links(of: before).filter { !offer.contains($0) } + offer }

    mutating func move(by distance: Int, _ offer: [String]) {
        let last = max(0, entries(offer).count - 1)
        chosen = min(last, max(0, min(chosen, last) + distance))
    }

    mutating func choose(_ place: Int) { chosen = max(0, place) }

    /// Adds the chosen one to the end of the chain, or takes it out.
    mutating func toggle(_ offer: [String]) {
        let entries = entries(offer)
        guard entries.indices.contains(chosen) else { return }
        if let place = links.firstIndex(of: entries[chosen]) {
            links.remove(at: place)
        } else {
            links.append(entries[chosen])
        }
    }

    mutating func clear() { links = [] }

    /// A chain's links: it is cut at arrows outside brackets.
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
