import AlcedoConfig
import AlcedoTools
import ArgumentParser
import ImageLoading

/// The options of commands that write a picture to a file.
struct PictureFileFlags: ParsableArguments {
    @Option(name: .shortAndLong, help: "The file to write.", completion: .file()) var output: String
    @Option(name: .long, help: "The quality of JPEG and WebP, 1 to 100.") var quality = ImageEncoder.standardQuality
    @Flag(name: .long, help: "Replace an existing file.") var force = false

    /// Returns the file, in the format that its extension names.
    func file() throws -> PictureFile {
        guard let format = ExportProgram.format(ofFile: output) else {
            throw UsageProblem(text: "--output takes a file ending in png, jpg, jpeg, webp or gif, not '\(output)'")
        }
        let quality = try OptionText.number(quality, of: "--quality", in: 1...100)
        return PictureFile(output, as: format, quality: quality, mayReplace: force)
    }
}

/// The options of commands that load pictures one after the other.
struct LoadingFlags: ParsableArguments {
    @Flag(name: .long, help: "Do not use the disk cache.") var noCache = false
    @OptionGroup(title: "Limits") var limits: LimitFlags
    @OptionGroup(title: "Connections") var connection: ConnectionFlags
    @OptionGroup var config: ConfigFlags

    func settings() throws -> LibrarySettings {
        var configuration = try config.read()
        try limits.write(to: &configuration)
        try connection.write(to: &configuration)
        var settings = LibrarySettings(configuration)
        settings.connection = try connection.settings()
        return settings
    }
}
