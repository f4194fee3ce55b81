import AlcedoConfig
import FoundationEssentials
import Glibc

/// A folder that gets the usable pictures of a run, besides the cache.
protocol PictureSink: AnyObject {
    /// Whether the journal of the run tells what the folder has; else the folder itself tells it.
    var isJournaled: Bool { get }
    /// Takes note of a picture, in the order of the lists.
    ///
    /// - Returns: Whether an earlier run wrote it.
    func register(_ item: ItemRecord) -> Bool
    /// Writes a picture and its facts.
    ///
    /// - Returns: The file, relative to the folder, if the picture has one of its own; whether all pictures that were
    ///   added until now are kept for good.
    func add(_ item: ItemRecord, _ picture: SinkPicture) throws(SinkProblem) -> (file: String?, isKept: Bool)
    /// Ends what is unfinished.
    func finish() throws(SinkProblem)
}

/// The reason why a folder cannot get a picture.
struct SinkProblem: Error {
    let text: String
    /// Whether no other picture can be written either, so that the run ends.
    var endsRun = true
}

/// The folder that gets the pictures of a run.
package enum SinkChoice: Sendable, Hashable {
    /// Tar files with the pictures and their facts.
    case tar(String)
    /// A file for each picture, named by a template; `keepsAddress` stores the address in an extended attribute.
    case folder(String, NameTemplate, keepsAddress: Bool)

    /// Its path.
    var folder: String {
        switch self {
        case .tar(let folder), .folder(let folder, _, keepsAddress: _): folder
        }
    }

    /// Opens the folder, which is made if there is none; a dry run makes none.
    func open(_ encoding: PictureEncoding?, isDryRun: Bool) throws(ProgramProblem) -> (any PictureSink)? {
        if isDryRun, access(folder, F_OK) != 0 { return nil }
        return try open(encoding)
    }

    private func open(_ encoding: PictureEncoding?) throws(ProgramProblem) -> any PictureSink {
        switch self {
        case .tar(let folder): try TarShards(folder: folder)
        case .folder(let path, let template, let keepsAddress):
            try PictureFolder(path, template, keepsAddress: keepsAddress, encoding)
        }
    }
}
