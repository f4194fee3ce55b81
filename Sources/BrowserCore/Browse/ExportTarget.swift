/// The kind of path that an export writes to.
package enum PathKind: Sendable, Hashable {
    case nothing, file, folder
}

/// Where the command line exports to, and what is known of that place.
struct ExportTarget: Sendable, Equatable {
    let path: String
    /// Nil until someone has looked.
    var standing: PathKind?

    static let formats = ["png": "PNG", "jpg": "JPEG", "jpeg": "JPEG", "webp": "WebP", "gif": "GIF"]
}

extension BrowseState {
    /// Asks what stands at the path on the command line, once for each path.
    mutating func refreshExportTarget() -> [BrowseEffect] {
        guard case .command(var field) = focus, field.lookAtTarget() else { return [] }
        focus = .command(field)
        return field.target.map { [.inspectPath($0.path)] } ?? []
    }

    /// Takes in what stands at a path, where it is still the one on the command line.
    mutating func receive(_ standing: PathKind, of path: String) {
        guard case .command(var field) = focus, field.target?.path == path else { return }
        field.target?.standing = standing
        focus = .command(field)
    }

    /// What an export would write, where and how: `3 marked pictures, as they are → pictures/ (new)`.
    func exportSummary(_ target: ExportTarget) -> StyledText {
        let count = list.marks.count
        let isFolder = count > 1 || target.path.hasSuffix("/") || target.standing == .folder
        let what =
            count == 0 ? "this picture" : count == 1 ? "1 marked picture" : "\(Units.count(count)) marked pictures"
        guard let how = format(of: target.path, isFolder: isFolder) else {
            return StyledText("the name must end with png, jpg, webp or gif", .warning)
        }
        let arrow = glyphs.isASCII ? "->" : "→"
        let text = "\(what), \(how) \(arrow) \(SafeText.clean(target.path))"
        switch target.standing {
        case .file: return StyledText("\(target.path) exists: name another \(isFolder ? "folder" : "file")", .warning)
        case .folder: return StyledText("\(text) (exists)", .dim)
        case .nothing: return StyledText("\(text) (new)", .dim)
        case nil: return StyledText(text, .dim)
        }
    }

    /// Nil where the file's name asks for no format that is written.
    private func format(of path: String, isFolder: Bool) -> String? {
        let isProcessed = !options.processor.isEmpty
        if isFolder { return isProcessed ? "processed" : "as they are" }
        let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return ExportTarget.formats[ending].map { isProcessed ? "processed, as \($0)" : "as \($0)" }
    }
}
