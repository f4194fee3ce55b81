import ImageLoading
import Lists

extension ImageResult {
    /// Returns the message for an expired picture that is shown because its server failed; nil for every other result.
    func notice(of location: String) -> String? {
        expiredBecause.map {
            "alcedo: \(Redaction.display(location)): \($0.title); this is the expired picture from the cache"
        }
    }
}
