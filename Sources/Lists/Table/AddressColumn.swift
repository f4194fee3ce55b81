/// Which column of a table holds the addresses of its pictures.
///
/// One does in which nothing else stands. Of several the name decides, then whether they end as pictures do.
struct AddressColumn {
    /// From 0; nil where no column does.
    let place: Int?

    /// `names` are those of the columns, none by default.
    init(of rows: [[String]], under names: [String] = []) {
        let columns = 0..<(rows.map(\.count).max() ?? 0)
        let scores = columns.map { column in
            let cells = rows.compactMap { $0.indices.contains(column) ? $0[column].trimmed : nil }
                .filter { !$0.isEmpty }
            return Self.score(cells, name: names.indices.contains(column) ? names[column] : "")
        }
        guard let best = scores.compactMap(\.self).max(), let column = scores.firstIndex(of: best) else {
            place = nil
            return
        }
        // A line of plain text that begins with an address may hold separators of its own.
        let isCertain = column > 0 || names.first.map(Self.isUsual) ?? true || Self.standsApart(rows)
        place = isCertain ? column : nil
    }

    /// Whether a column is called as those of pictures are, and nothing else is.
    static func isUsual(_ name: String) -> Bool { usual.contains(name.lowercased().filter(\.isLetter)) }

    /// The higher the likelier; nil for a column that holds something else.
    private static func score(_ cells: [Substring], name: String) -> Int? {
        guard let first = cells.first else { return nil }
        let rank = rank(of: name)
        let isPicture = PictureType.isPicture(name: String(first)) ? 1 : 0
        if cells.allSatisfy(isAddress) { return 20 + 2 * rank + isPicture }
        // Paths need a name that says so: any text may look like one.
        let arePaths = rank > 0 && cells.allSatisfy { PictureType.isPicture(name: String($0)) || $0.hasPrefix("/") }
        return arePaths ? rank : nil
    }

    private static func isAddress(_ cell: Substring) -> Bool {
        PlainAddress.isWeb(cell)
            && (!cell.utf8.contains(UInt8(ascii: " ")) || (try? PlainAddress.text(of: cell)) != nil)
    }

    /// Whether what stands behind the first addresses cannot be a part of them.
    private static func standsApart(_ rows: [[String]]) -> Bool {
        rows.contains {
            $0.dropFirst().contains { isAddress($0.trimmed) || $0.trimmed.utf8.contains(UInt8(ascii: " ")) }
        }
    }

    /// Above 0 for names of pictures, below for those of what stands beside them.
    private static func rank(of name: String) -> Int {
        let name = name.lowercased()
        func has(_ words: [String]) -> Bool { words.contains(where: name.contains) }
        return (has(pictures) ? 2 : 0) + (has(large) ? 1 : 0) - (has(small) ? 4 : 0) - (has(others) ? 3 : 0)
    }

    private static let usual: Set<String> = [
        "image", "imagelink", "imagepath", "imagesrc", "img", "imgsrc", "picture", "picturelink", "photo", "photolink",
        "photourl", "bild", "foto", "src", "link", "href", "uri", "file", "filename", "filepath", "path",
    ]
    private static let pictures = [
        "image", "imagen", "img", "pic", "photo", "bild", "foto", "src", "link", "href", "file", "path", "url", "uri",
    ]
    private static let large = ["full", "large", "orig", "big", "high", "download", "media"]
    private static let small = ["thumb", "small", "preview", "icon", "avatar", "mini", "lowres"]
    private static let others = [
        "page", "author", "profile", "user", "owner", "product", "site", "home", "license", "shop", "article", "video",
    ]
}
