/// The kind of a path.
package enum PathKind: Sendable, Hashable {
    case nothing, file, folder
}

/// The target path of an export.
struct ExportTarget: Sendable, Equatable {
    let path: String
    /// The kind of the path; nil until it was inspected.
    var kind: PathKind?

    static let formats = ["png": "PNG", "jpg": "JPEG", "jpeg": "JPEG", "webp": "WebP", "gif": "GIF"]
}

extension BrowseState {
    /// Requests the kind of the path on the command line, once for each path.
    mutating func refreshExportTarget() -> [BrowseEffect] {
        guard case .command(var field) = focus, field.updateTarget() else { return [] }
        focus = .command(field)
        return field.target.map { [.inspectPath($0.path)] } ?? []
    }

    /// Stores the kind of a path if it is still on the command line.
    mutating func receive(_ kind: PathKind, of path: String) {
        guard case .command(var field) = focus, field.target?.path == path else { return }
        field.target?.kind = kind
        focus = .command(field)
    }

    /// Returns what an export would write, where and how: `3 marked pictures, as they are → pictures/ (new)`.
    func exportSummary(_ target: ExportTarget) -> StyledText {
        let count = list.marks.count
        let isFolder = count > 1 || target.path.hasSuffix("/") || target.kind == .folder
        let what =
            count == 0 ? "this picture" : count == 1 ? "1 marked picture" : "\(Units.count(count)) marked pictures"
        guard let how = format(of: target.path, isFolder: isFolder) else {
            return StyledText("the name must end with png, jpg, webp or gif", .warning)
        }
        let arrow = glyphs.isASCII ? "->" : "→"
        let text = "\(what), \(how) \(arrow) \(SafeText.clean(target.path))"
        switch target.kind {
        case .file: return StyledText("\(target.path) exists: name another \(isFolder ? "folder" : "file")", .warning)
        case .folder: return StyledText("\(text) (exists)", .dim)
        case .nothing: return StyledText("\(text) (new)", .dim)
        case nil: return StyledText(text, .dim)
        }
    }

    /// Returns the output format; nil if the file's extension is not supported.
    private func format(of path: String, isFolder: Bool) -> String? {
        let isProcessed = !options.processor.isEmpty
        if isFolder { return isProcessed ? "processed" : "as they are" }
        let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return ExportTarget.formats[ending].map { isProcessed ? "processed, as \($0)" : "as \($0)" }
    }
}
