extension PictureFilter {
    /// Returns what a completion of a filter's last word stands for, in a few words; empty for a value of a field.
    package static func meaning(of form: String) -> String {
        switch form {
        case "dup": return "another has the same bytes"
        case "mismatch": return "wrong name or media type"
        case "marked": return "marked pictures"
        default:
            if form.hasSuffix(":") { return FilterField(rawValue: String(form.dropLast()))?.meaning ?? "" }
            guard let number = FilterTerm.Number(rawValue: form.filter(\.isLetter)) else { return "" }
            return number.meaning
        }
    }
}

extension FilterField {
    fileprivate var meaning: String {
        switch self {
        case .host: "the host"
        case .type: "the format"
        case .status: "the state, or the code of the response"
        case .error: "a part of the error"
        case .verdict: "the check of the pixels"
        case .color: "the colour model"
        case .alpha: "a pixel is transparent"
        case .camera: "a part of the camera's name"
        case .taken: "year, month or day of capture"
        case .sha256: "the digest, or its beginning"
        case .tag: "a tag of the list"
        case .kind: "original, processed or encoded"
        case .state: "expired, pinned or damaged"
        case .key: "a key, its beginning, or an address"
        case .ratio: "width to height"
        case .like: "another looks similar"
        }
    }
}

extension FilterTerm.Number {
    fileprivate var meaning: String {
        switch self {
        case .width: "width in pixels"
        case .height: "height in pixels"
        case .megapixels: "megapixels"
        case .bytes: "size of the file"
        case .frames: "frames of an animation"
        case .age: "time since the store"
        case .unused: "time since the last use"
        case .hits: "uses"
        }
    }
}
