import Raster

/// A picture in a search for duplicates.
package struct PictureRow: Sendable, Hashable {
    package let id: Int64
    /// The number of the content, which pictures with equal bytes share.
    package let content: Int64
    /// The perceptual hash; nil if it is not known.
    package let hash: UInt64?
    package let pixels: Int
    package let bytes: Int
    /// Pictures of a higher rank come first.
    package let rank: Int

    package init(id: Int64, content: Int64, hash: UInt64?, pixels: Int, bytes: Int, rank: Int = 0) {
        (self.id, self.content, self.hash, self.rank) = (id, content, hash, rank)
        (self.pixels, self.bytes) = (pixels, bytes)
    }
}

/// A search for groups of pictures that are equal or similar.
package struct DuplicateSearch: Sendable {
    /// The pictures of one group; the first is the one to keep: the most pixels, then the most bytes, then the oldest.
    package struct Group: Sendable, Equatable {
        /// For each picture, the number of bits by which its hash differs from that of the first; nil for equal bytes.
        package let distances: [Int]?
        package let ids: [Int64]
        /// The bytes that become free without all pictures but the first; 0 for equal bytes, which are stored once.
        package let spare: Int
    }

    private let rows: [PictureRow]

    package init(_ rows: [PictureRow]) {
        self.rows = rows.sorted {
            ($0.rank, $0.pixels, $0.bytes, $1.id) > ($1.rank, $1.pixels, $1.bytes, $0.id)
        }
    }

    /// Returns the groups of equal bytes, the largest pictures first.
    package func identical() -> [Group] {
        var members: [Int64: [PictureRow]] = [:]
        for row in rows { members[row.content, default: []].append(row) }
        return rows.compactMap { row in
            guard let group = members[row.content], group.count > 1, group[0].id == row.id else { return nil }
            return Group(distances: nil, ids: group.map(\.id), spare: 0)
        }
    }

    /// Returns the groups of pictures whose hashes differ in at most `distance` bits.
    ///
    /// The nearest pictures are joined first. If a is near b, and b is near c, all three share a group
    /// only if no two of them differ in more than `2 * distance` bits. Each picture is in at most one group. Of several
    /// pictures with equal bytes, only the first one counts; groups of a single picture are left out, and so are
    /// pictures that are flat, whose hash has hardly any bits.
    ///
    /// - Parameter isTurned: Whether turned and mirrored pictures are similar, too; false by default.
    package func similar(within distance: Int, isTurned: Bool = false) -> [Group] {
        var contents: Set<Int64> = []
        let pictures = rows.filter { row in
            row.hash.map { $0.nonzeroBitCount >= Self.leastBits } == true && contents.insert(row.content).inserted
        }
        // Many pictures may share one hash, for example blank ones.
        var places: [UInt64: Int] = [:]
        var (hashes, owners): ([UInt64], [[Int]]) = ([], [])
        for (index, picture) in pictures.enumerated() {
            guard let hash = picture.hash else { continue }
            if let place = places[hash] {
                owners[place].append(index)
            } else {
                places[hash] = hashes.count
                hashes.append(hash)
                owners.append([index])
            }
        }
        var groups: [Group] = []
        let turns = isTurned ? 8 : 1
        for near in Self.groups(of: hashes, within: distance, turns: turns) {
            let members = near.flatMap { owners[$0] }.sorted()
            guard members.count > 1 else { continue }
            let hash = pictures[members[0]].hash ?? 0
            groups.append(
                Group(
                    distances: members.map { Self.difference(pictures[$0].hash ?? hash, hash, turns: turns) },
                    ids: members.map { pictures[$0].id },
                    spare: members.dropFirst().reduce(0) { $0 + pictures[$1].bytes }))
        }
        return groups
    }

    /// The number of bits below which a hash is that of a flat picture, in indexes of earlier versions.
    private static let leastBits = 4

    /// Returns the number of different bits, at the best of so many turns of the second hash.
    private static func difference(_ left: UInt64, _ right: UInt64, turns: Int) -> Int {
        if turns == 1 { return (left ^ right).nonzeroBitCount }
        return PerceptualHash(bits: right).turned.prefix(turns).map { ($0.bits ^ left).nonzeroBitCount }.min() ?? 64
    }

    /// Divides hashes into groups, in the order of their first hashes.
    private static func groups(of hashes: [UInt64], within distance: Int, turns: Int) -> [[Int]] {
        chains(of: hashes, within: distance, turns: turns).flatMap { chain in
            chain.count <= longestExactChain
                ? joined(chain, hashes, within: distance, turns: turns)
                : ledGroups(of: chain, hashes, within: distance, turns: turns)
        }
    }

    /// The hashes of a chain up to which all of its pairs are compared.
    private static let longestExactChain = 2000

    /// Returns the hashes that near hashes connect; hashes of different chains are in different groups.
    private static func chains(of hashes: [UInt64], within distance: Int, turns: Int) -> [[Int]] {
        var parents = Array(hashes.indices)
        func root(of start: Int) -> Int {
            var place = start
            while parents[place] != place {
                parents[place] = parents[parents[place]]
                place = parents[place]
            }
            return place
        }
        // Two hashes are near as they are turned if one of them is near as it is.
        let all = turns == 1 ? hashes : hashes.flatMap { PerceptualHash(bits: $0).turned.map(\.bits) }
        SimilarHashes.forEachPair(in: all, within: distance) { left, right in
            guard left % turns == 0 || right % turns == 0 else { return }
            let (left, right) = (root(of: left / turns), root(of: right / turns))
            parents[max(left, right)] = min(left, right)
        }
        var chains: [Int: [Int]] = [:]
        for place in hashes.indices { chains[root(of: place), default: []].append(place) }
        return hashes.indices.compactMap { chains[$0] }
    }

    /// Joins the nearest hashes of a chain first, as long as no two of a group are further apart than twice the distance.
    private static func joined(_ chain: [Int], _ hashes: [UInt64], within distance: Int, turns: Int) -> [[Int]] {
        if chain.count == 1 { return [chain] }
        var pairs: [(bits: Int, left: Int, right: Int)] = []
        for (index, left) in chain.enumerated() {
            for right in chain[(index + 1)...] {
                let bits = difference(hashes[left], hashes[right], turns: turns)
                if bits <= distance { pairs.append((bits, left, right)) }
            }
        }
        pairs.sort { ($0.bits, $0.left, $0.right) < ($1.bits, $1.left, $1.right) }
        var members = Dictionary(uniqueKeysWithValues: chain.map { ($0, [$0]) })
        var owners = Dictionary(uniqueKeysWithValues: chain.map { ($0, $0) })
        for (_, left, right) in pairs {
            guard let one = owners[left], let other = owners[right], one != other,
                let kept = members[min(one, other)], let added = members[max(one, other)],
                kept.allSatisfy({ place in
                    added.allSatisfy { difference(hashes[place], hashes[$0], turns: turns) <= 2 * distance }
                })
            else { continue }
            for place in added { owners[place] = min(one, other) }
            members[max(one, other)] = nil
            members[min(one, other)] = (kept + added).sorted()
        }
        return chain.compactMap { members[$0] }
    }

    /// Divides a long chain: each time, the first hash without a group takes all hashes near it that are still free.
    private static func ledGroups(of chain: [Int], _ hashes: [UInt64], within distance: Int, turns: Int) -> [[Int]] {
        var (free, groups) = (chain, [[Int]]())
        while let leader = free.first {
            let isNear = { (place: Int) in difference(hashes[leader], hashes[place], turns: turns) <= distance }
            groups.append(free.filter(isNear))
            free.removeAll(where: isNear)
        }
        return groups
    }
}
