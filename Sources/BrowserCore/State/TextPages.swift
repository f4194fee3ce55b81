/// An append-only store of many texts in few allocations.
///
/// A text takes its UTF-8 bytes and twelve bytes for its place.
package struct TextPages: Sendable, Equatable {
    /// The location of a stored text.
    package struct Place: Sendable, Hashable {
        fileprivate let page: UInt32
        fileprivate let start: UInt32
        fileprivate let length: UInt32
    }

    /// Bytes per page; a longer text gets a page of its own.
    private static let pageSize = 1 << 20

    private var pages: [[UInt8]] = []

    package init() {}

    package mutating func append(_ text: String) -> Place {
        let bytes = text.utf8
        let room = pages.last.map { TextPages.pageSize - $0.count } ?? 0
        if pages.isEmpty || bytes.count > room {
            pages.append([])
            pages[pages.count - 1].reserveCapacity(max(bytes.count, TextPages.pageSize))
        }
        let page = pages.count - 1
        let start = pages[page].count
        pages[page].append(contentsOf: bytes)
        return Place(
            page: UInt32(clamping: page), start: UInt32(clamping: start), length: UInt32(clamping: bytes.count))
    }

    package subscript(place: Place) -> String { withBytes(at: place) { String(decoding: $0, as: UTF8.self) } }

    package func withBytes<Result>(at place: Place, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        pages[Int(place.page)].withUnsafeBufferPointer { page in
            let start = Int(place.start)
            return body(UnsafeBufferPointer(rebasing: page[start..<start + Int(place.length)]))
        }
    }
}

extension TextPages.Place {
    /// Returns the place of a byte range within the text.
    package func part(_ range: Range<Int>) -> TextPages.Place {
        TextPages.Place(page: page, start: start + UInt32(range.lowerBound), length: UInt32(range.count))
    }
}
