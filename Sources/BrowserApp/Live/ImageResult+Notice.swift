import ImageLoading
import Lists

extension ImageResult {
    /// What is to be said of a picture of this location that is shown although it has expired; nil for all others.
    func notice(of location: String) -> String? {
        expiredBecause.map {
            "alcedo: \(Redaction.display(location)): \($0.title); this is the expired picture from the cache"
        }
    }
}
