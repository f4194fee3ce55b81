import AlcedoComparison
import AlcedoFileOperations
import AlcedoPrefetch
import AlcedoScreen
import AlcedoSupport
import FoundationEssentials
import Raster

/// A group of pictures that are equal or similar; the first is the best.
struct DuplicateGroup {
    struct Picture {
        /// A path or an address, as the list gives it.
        let location: String
        /// The location without secrets.
        let shown: String
        let facts: CheckedPicture
        /// The bits in which its hash differs from that of the best; 0 for equal bytes.
        var distance = 0
        /// Whether it has the bytes of the best one.
        var isEqual = false
        /// Whether it stays: it is the best, one that others are compared with, or too different from the best.
        var isKept = false

        var bytes: Int { facts.bytes }
        var pixels: Int { facts.pixels }
    }

    let pictures: [Picture]

    /// The pictures that are not needed.
    var spares: [Picture] { pictures.filter { !$0.isKept } }

    /// The bytes of the pictures that are not needed.
    var spare: Int { spares.reduce(0) { $0 + $1.bytes } }

    /// The paths of pictures that may differ from another one of the group by a frame: no side is shorter, and none
    /// 1.5 times as long.
    var maybeFramed: [String] {
        pictures.filter { picture in
            picture.location.hasPrefix("/")
                && pictures.contains { Self.mayFrame(picture, $0) || Self.mayFrame($0, picture) }
        }.map(\.location)
    }

    private static func mayFrame(_ outer: Picture, _ inner: Picture) -> Bool {
        guard let outer = outer.facts.size, let inner = inner.facts.size, outer != inner else { return false }
        return (inner.width...inner.width * 3 / 2).contains(outer.width)
            && (inner.height...inner.height * 3 / 2).contains(outer.height)
    }

    /// Returns why a file must not be changed; nil if it may be.
    ///
    /// It looks at the files as they are now, so it is called directly before the change.
    func problem(of picture: Picture) -> String? {
        guard picture.location.hasPrefix("/") else { return "it is on the web" }
        guard let now = FileStamp(path: picture.location), now.isFile else { return "it is no file of its own" }
        guard now == picture.facts.stamp else { return "it has changed since it was read" }
        let best = pictures[0]
        guard best.location.hasPrefix("/") else { return "the best one is on the web" }
        guard let kept = FileStamp(path: best.location), kept == best.facts.stamp else {
            return "the best one, \(best.shown), has changed or is gone"
        }
        guard kept.isFile else { return "the best one, \(best.shown), is a link" }
        guard picture.isEqual || picture.pixels <= best.pixels else {
            return "it has more pixels than \(best.shown), which stays"
        }
        let path = picture.location.resolvedPath
        for other in pictures where other.location != picture.location {
            guard let stamp = FileStamp(path: other.location) else { continue }
            // Hard links, and folders that are mounted or named twice, lead to one file.
            if other.isKept, stamp.isSameFile(as: now) { return "it is \(other.shown) by another name" }
            if !stamp.isFile, other.location.resolvedPath == path { return "the link \(other.shown) leads to it" }
        }
        return nil
    }
}

extension DuplicateGroup {
    /// A group as a line of JSON.
    struct Report: Encodable {
        struct Row: Encodable {
            let path, url: String?
            /// The bytes of a path that cannot be written as text, in base64.
            let pathBytes: String?
            let keep, equal: Bool
            let distance: Int
            let width, height: Int?
            let format: String?
            let bytes: Int
            let sha256: String?
        }

        let type = "group"
        let id: Int
        let spareBytes: Int
        let pictures: [Row]
    }

    func report(_ id: Int) -> Report {
        Report(
            id: id, spareBytes: spare,
            pictures: pictures.map { picture in
                let (facts, isPath) = (picture.facts, picture.location.hasPrefix("/"))
                return Report.Row(
                    path: isPath ? picture.shown : nil, url: isPath ? nil : picture.shown,
                    pathBytes: isPath && picture.shown != picture.location || picture.location.hasPathEscapes
                        ? Data(picture.location.pathBytes).base64EncodedString() : nil, keep: picture.isKept,
                    equal: picture.isEqual, distance: picture.distance, width: facts.size?.width,
                    height: facts.size?.height, format: facts.format?.rawValue, bytes: facts.bytes,
                    sha256: facts.sha256)
            })
    }

    /// A heading, and one line for each picture.
    func lines(_ id: Int) -> [String] {
        let heading = "\(id): \(Units.counted(pictures.count, "picture")), \(Units.bytes(spare)) beside the best"
        return [heading]
            + pictures.enumerated().map { index, picture in
                let sign =
                    index == 0 || picture.isKept && picture.distance == 0
                    ? "keep" : picture.isEqual ? "equal" : "\(picture.distance) bits"
                let size = picture.facts.size.map { "\($0.width)×\($0.height)" } ?? ""
                return "  \(Fitting.pad(sign, to: 8))\(Fitting.pad(size, to: 11)) "
                    + "\(Fitting.pad(Units.bytes(picture.bytes), to: 9)) \(picture.shown)"
            }
    }
}

/// The search for groups among checked pictures.
struct DuplicateFiles {
    private let pictures: [CheckedPicture]
    private let references: Set<String>

    /// - Parameter references: The lists whose pictures stay; empty if every picture may be a duplicate.
    init(_ pictures: [CheckedPicture], references: [String]) {
        self.references = Set(references.map { Redaction.display($0) })
        // Of equally good pictures the one with the shorter path is kept.
        self.pictures = pictures.sorted {
            ($0.location.utf8.count, $0.location) < ($1.location.utf8.count, $1.location)
        }
    }

    private func isReference(_ picture: CheckedPicture) -> Bool { references.contains(picture.list) }

    /// Returns the groups, in the order of their best pictures.
    ///
    /// - Parameter distance: The bits in which similar pictures differ at most; nil for equal bytes only.
    func groups(within distance: Int?, isTurned: Bool) -> [DuplicateGroup] {
        var contents: [String: Int64] = [:]
        let rows = pictures.enumerated().map { index, picture in
            let id = Int64(index)
            let content = picture.sha256.map { contents[$0, default: id] } ?? id
            if let digest = picture.sha256 { contents[digest] = content }
            return PictureRow(
                id: id, content: content, hash: picture.hash?.bits, pixels: picture.pixels,
                bytes: picture.bytes,
                rank: (isReference(picture) ? 4 : 0) + (picture.stamp?.isFile == false ? 0 : 2)
                    + (picture.isWhole ? 1 : 0))
        }
        let search = DuplicateSearch(rows)
        var twins: [Int64: [Int64]] = [:]
        for group in search.identical() { twins[group.ids[0]] = group.ids }
        var found: [[(id: Int64, distance: Int)]] = []
        if let distance {
            for group in search.similar(within: distance, isTurned: isTurned) {
                found.append(
                    zip(group.ids, group.distances ?? []).flatMap { id, bits in
                        (twins.removeValue(forKey: id) ?? [id]).map { ($0, bits) }
                    })
            }
        }
        found += twins.values.map { $0.map { ($0, 0) } }
        return found.compactMap { members in group(of: members, rows, within: distance ?? 0) }.sorted {
            $0.pictures[0].location.lexicographicallyPrecedes($1.pictures[0].location)
        }
    }

    private func group(
        of members: [(id: Int64, distance: Int)], _ rows: [PictureRow], within distance: Int
    ) -> DuplicateGroup? {
        let best = rows[Int(members[0].id)]
        let all = members.enumerated().map { index, member in
            let facts = pictures[Int(member.id)]
            return DuplicateGroup.Picture(
                location: facts.location, shown: facts.shown, facts: facts, distance: member.distance,
                isEqual: index > 0 && rows[Int(member.id)].content == best.content,
                isKept: index == 0 || isReference(facts) || member.distance > distance)
        }
        // Among references alone nothing is a duplicate, and nothing without one.
        guard references.isEmpty || all.contains(where: { isReference($0.facts) }) else { return nil }
        return all.contains { !$0.isKept } ? DuplicateGroup(pictures: all) : nil
    }
}
