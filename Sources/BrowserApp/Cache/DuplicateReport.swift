import BrowserCore
import Filters
import Foundation
import ImageLoading

/// A group of duplicates, as text lines and as JSON.
package struct DuplicateReport: Sendable, Encodable {
    package struct Member: Sendable, Encodable {
        package let distance: Int?
        package let entry: CacheEntryReport
    }

    /// `identical` or `similar`.
    package let type: String
    /// The bytes of all pictures of a similar group but the first.
    package let spareBytes: Int
    package let pictures: [Member]

    /// A heading, and one line for each picture.
    package var lines: [String] {
        let spare = spareBytes > 0 ? ", \(Units.bytes(spareBytes)) beside the first" : ""
        let heading = "\(type): \(Units.count(pictures.count)) pictures\(spare)"
        return [heading]
            + pictures.map { member in
                let distance = member.distance.map { "\($0) bits" } ?? ""
                return "  \(Fitting.pad(distance, to: type == "similar" ? 8 : 0))\(member.entry.line)"
            }
    }
}

extension CacheInspector {
    /// Calls `body` with each group of identical and then of similar pictures among the entries that a filter selects.
    ///
    /// - Parameter distance: The bits in which hashes of similar pictures may differ, 0 to 15; nil for identical only.
    package func forEachDuplicate(
        filter: CacheFilter, within distance: Int?, _ body: (DuplicateReport) -> Void
    ) async throws(DiskCacheError) {
        let search = DuplicateSearch(try await disk.pictureRows(filter))
        for group in search.identical() { try await report(group, "identical", body) }
        guard let distance else { return }
        for group in search.similar(within: distance) { try await report(group, "similar", body) }
    }

    private func report(
        _ group: DuplicateSearch.Group, _ type: String, _ body: (DuplicateReport) -> Void
    ) async throws(DiskCacheError) {
        let entries = try await disk.entries(ids: group.ids)
        let known = Dictionary(entries.map { ($0.id, $0) }) { first, _ in first }
        let members = group.ids.enumerated().compactMap { index, id in
            known[id].map {
                DuplicateReport.Member(distance: group.distances?[index], entry: CacheEntryReport($0, now: Date()))
            }
        }
        // Entries may have been removed meanwhile.
        if members.count > 1 { body(DuplicateReport(type: type, spareBytes: group.spare, pictures: members)) }
    }
}
