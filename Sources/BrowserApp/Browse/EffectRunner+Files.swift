import AlcedoBrowserCore
import AlcedoConfig
import AlcedoLists
import AlcedoSupport
import FoundationEssentials
import Glibc
import ImageLoading

/// The effects on local files: their dates, and shell commands.
extension EffectRunner {
    /// Posts when the pictures of local files were taken; when the files were changed if that is not stated.
    func readDates(of items: [ItemID]) async {
        var files: [ItemID: String] = [:]
        for item in items { files[item] = context.listLoader.location(item).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        context.inbox.post(.datesRead(await CaptureDate.dates(of: files)))
    }

    /// Posts how pictures were taken, a few at a time; ends what was begun if there are none.
    func readCaptures(of items: [ItemID]) async {
        if items.isEmpty { captureRound += 1 }
        let round = captureRound
        for start in stride(from: 0, to: items.count, by: 64) {
            var found: [ItemID: CaptureTexts?] = [:]
            for item in items[start..<min(items.count, start + 64)] where !Task.isCancelled && round == captureRound {
                found.updateValue(await capture(of: item), forKey: item)
            }
            guard !Task.isCancelled, round == captureRound else { return }
            context.inbox.post(.capturesRead(found))
        }
    }

    /// Returns how a picture was taken: as the cache's index states it, else as its file does; nil if neither is there.
    private func capture(of item: ItemID) async -> CaptureTexts? {
        guard let source = context.listLoader.source(item), let path = context.listLoader.location(item) else {
            return nil
        }
        if path.hasPrefix("/"), let texts = await CaptureDate.texts(inBeginningOf: path) { return texts }
        if let entry = await context.library.cache.disk?.entry(for: CacheEntryKey(source: source.cacheKey)) {
            return CaptureTexts(camera: entry.facts.picture.camera, taken: entry.facts.picture.taken)
        }
        return await context.library.original(of: source).map { CaptureTexts(CaptureFacts(file: $0)) }
    }

    /// Runs a shell command and posts its outcome, and the files that it removed or changed.
    func runCommand(_ command: String, on items: [ItemID]) async {
        if let item = items.first(where: isInArchive) {
            return context.inbox.post(.notice("\(fileName(of: item)) is in an archive; e saves it as a file"))
        }
        let before = await modificationTimes(of: items)
        context.inbox.post(.notice("running\u{2026}"))
        let shell = ShellCommand(text: command, arguments: items.compactMap { context.listLoader.location($0) })
        do throws(ProgramProblem) {
            try await shell.run()
            onOutcome(.notice("done: \(command)"))
        } catch {
            onOutcome(.warning("\(command): \(error)"))
        }
        let after = await modificationTimes(of: items)
        for (item, time) in before.sorted(by: { $0.key < $1.key }) where after[item] != time {
            context.inbox.post(.fileChanged(item, isThere: after[item] != nil))
        }
    }

    /// Returns the modification times of those items that are existing local files.
    func modificationTimes(of items: [ItemID]) async -> [ItemID: Date] {
        var files: [ItemID: String] = [:]
        for item in items { files[item] = context.listLoader.location(item).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        return await Self.times(of: files)
    }

    @concurrent
    private static func times(of files: [ItemID: String]) async -> [ItemID: Date] {
        files.compactMapValues { path in
            var status = stat()
            guard path.withPath({ stat($0, &status) }) == 0 else { return nil }
            let (seconds, part) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
            return Date(timeIntervalSince1970: Double(seconds) + Double(part) / 1e9)
        }
    }
}

/// A shell command on some files or addresses.
struct ShellCommand: Sendable {
    let text: String
    let arguments: [String]
    /// Whether a failure is explained by what the command wrote to standard error; a long run may write much there.
    var readsMessages = true

    /// Runs the command without input and terminal; its output is discarded.
    ///
    /// - Throws: The last line that it wrote to standard error, or its exit status; why the text is refused.
    @concurrent
    func run() async throws(ProgramProblem) {
        let script: String
        // A name that begins with a dash must not be taken for an option.
        let arguments = arguments.map { $0.hasPrefix("-") ? "./" + $0 : $0 }
        do throws(ShellTemplate.Problem) {
            script = try ShellTemplate(text).script
        } catch {
            throw ProgramProblem(error.text)
        }
        guard let messages = tmpfile() else { throw ProgramProblem("no temporary file can be created") }
        defer { fclose(messages) }
        let process: ChildProcess
        do throws(SystemError) {
            // A session of its own has no terminal that the command could open.
            process = try ChildProcess(
                "/usr/bin/env", ["setsid", "--wait", "/bin/sh", "-c", script, "sh"] + arguments,
                errors: readsMessages ? fileno(messages) : nil)
        } catch {
            throw ProgramProblem("cannot be started: \(error); fewer marked pictures may help")
        }
        let status = await process.status()
        guard status != 0 else { return }
        throw ProgramProblem(Self.lastLine(of: messages) ?? "exit status \(status)")
    }

    /// Returns the last line of a file, from its last 4 KiB; nil for an empty file.
    private static func lastLine(of file: UnsafeMutablePointer<FILE>) -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        fseek(file, 0, SEEK_END)
        fseek(file, max(0, ftell(file) - bytes.count), SEEK_SET)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self).split(whereSeparator: \.isNewline).last.map(String.init)
    }
}
