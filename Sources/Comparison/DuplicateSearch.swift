/// A picture in a search for duplicates.
package struct PictureRow: Sendable, Hashable {
    package let id: Int64
    /// The number of the content, which pictures with equal bytes share.
    package let content: Int64
    /// The perceptual hash; nil if it is not known.
    package let hash: UInt64?
    package let pixels: Int
    package let bytes: Int

    package init(id: Int64, content: Int64, hash: UInt64?, pixels: Int, bytes: Int) {
        (self.id, self.content, self.hash, self.pixels, self.bytes) = (id, content, hash, pixels, bytes)
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
        self.rows = rows.sorted { ($0.pixels, $0.bytes, $1.id) > ($1.pixels, $1.bytes, $0.id) }
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

    /// Returns the groups of pictures whose hashes differ from that of the group's first picture in at most `distance`
    /// bits.
    ///
    /// Each picture is in at most one group. Of several pictures with equal bytes, only the first one counts; groups of
    /// a single picture are left out.
    package func similar(within distance: Int) -> [Group] {
        var contents: Set<Int64> = []
        let pictures = rows.filter { $0.hash != nil && contents.insert($0.content).inserted }
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
        for place in Self.leaders(of: hashes, within: distance) {
            let members = place.near.flatMap { owners[$0] }.sorted()
            guard members.count > 1 else { continue }
            let hash = hashes[place.leader]
            groups.append(
                Group(
                    distances: members.map { ((pictures[$0].hash ?? hash) ^ hash).nonzeroBitCount },
                    ids: members.map { pictures[$0].id },
                    spare: members.dropFirst().reduce(0) { $0 + pictures[$1].bytes }))
        }
        return groups
    }

    /// Divides hashes into groups: each time, the first hash without a group takes all hashes near it that are still
    /// free.
    private static func leaders(
        of hashes: [UInt64], within distance: Int
    ) -> [(leader: Int, near: [Int])] {
        // Hashes that no chain of near hashes connects are in different groups, so the chains are found first.
        var parents = Array(hashes.indices)
        func root(of start: Int) -> Int {
            var place = start
            while parents[place] != place {
                parents[place] = parents[parents[place]]
                place = parents[place]
            }
            return place
        }
        SimilarHashes.forEachPair(in: hashes, within: distance) { left, right in
            let (left, right) = (root(of: left), root(of: right))
            parents[max(left, right)] = min(left, right)
        }
        var chains: [Int: [Int]] = [:]
        for place in hashes.indices {
            let start = root(of: place)
            if start != place { chains[start, default: [start]].append(place) }
        }
        return hashes.indices.filter { parents[$0] == $0 }.flatMap { start -> [(leader: Int, near: [Int])] in
            guard var free = chains[start] else { return [(start, [start])] }
            var groups: [(leader: Int, near: [Int])] = []
            while let leader = free.first {
                let near = free.filter { (hashes[$0] ^ hashes[leader]).nonzeroBitCount <= distance }
                free.removeAll { (hashes[$0] ^ hashes[leader]).nonzeroBitCount <= distance }
                groups.append((leader, near))
            }
            return groups
        }
    }
}
