import AlcedoSupport
import FoundationEssentials
import Glibc

/// The rows of a Parquet file as JSON Lines, which Apache Arrow in the user's Python writes.
///
/// Columns of bytes, such as whole pictures, are left out. Numbers that JSON does not have are null, times are texts.
final class ParquetStream: ByteSource {
    let name: String
    private let process: ChildProcess
    private let messages: OpenFile
    private let output: OpenFile
    private let stream: ByteStream

    /// Opens a file; nil if it is no Parquet file.
    ///
    /// - Parameter folders: The folders in which `python3` is searched, as in `PATH`.
    /// - Throws: ``ListError/notAList(file:line:reason:)`` if there is no Python.
    init?(
        path: String, folders: String = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    ) throws(ListError) {
        guard let file = Self.opened(path) else { return nil }
        let programs = folders.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/python3" }
        guard let python = programs.first(where: { access($0, X_OK) == 0 }) else { throw Self.refusal(path) }
        do throws(SystemError) {
            let (output, messages) = (try OpenFile.pipe(), try OpenFile.pipe())
            process = try ChildProcess(
                python, ["-c", Self.script], input: file.descriptor, output: output.writing.descriptor,
                errors: messages.writing.descriptor)
            (self.output, self.messages) = (output.reading, messages.reading)
        } catch {
            throw .unreadable(file: path, line: nil, reason: "\(python) cannot be started: \(error)")
        }
        name = path
        stream = ByteStream(descriptor: output.descriptor, name: path, closesDescriptor: false)
    }

    func read(line: Int) async throws(ListError) -> [UInt8] {
        let bytes = try await stream.read(line: line)
        guard bytes.isEmpty else { return bytes }
        switch await process.status() {
        case 0: return []
        case Self.lacksArrow: throw Self.refusal(name)
        default:
            let words = (try? messages.readToEnd(limit: 500)) ?? Data()
            // A program that was killed says nothing, and the file may be whole.
            let text =
                words.isEmpty ? "python3 was ended from outside" : String(decoding: words, as: UTF8.self)
            throw .unreadable(file: name, line: line > 0 ? line : nil, reason: "pyarrow: \(text)")
        }
    }

    /// Opens a file; nil if it is no Parquet file.
    private static func opened(_ path: String) -> OpenFile? {
        guard RegularFile.exists(path) else { return nil }
        guard let file = try? OpenFile(reading: path) else { return nil }
        var head = [UInt8](repeating: 0, count: 8)
        let count = pread(file.descriptor, &head, head.count, 0)
        return ListFormat.isParquet(head.prefix(max(0, count))) ? file : nil
    }

    private static func refusal(_ path: String) -> ListError {
        .notAList(file: path, line: nil, reason: ListFormat.parquet)
    }

    private static let lacksArrow: Int32 = 3

    /// The program; modules of the working folder are not for it.
    private static let script = """
        import sys
        sys.path[:] = [folder for folder in sys.path if folder]
        import json
        try:
            import pyarrow.parquet as parquet, pyarrow.types as types
        except ImportError:
            sys.exit(\(lacksArrow))

        def line(row):
            try:
                return json.dumps(row, default=str, allow_nan=False)
            except ValueError:
                plain = json.loads(json.dumps(row, default=str), parse_constant=lambda name: None)
                return json.dumps(plain)

        def is_bytes(kind):
            return any(test(kind) for test in (types.is_binary, types.is_large_binary, types.is_fixed_size_binary))

        try:
            file = parquet.ParquetFile(open(0, "rb"))
            names = [field.name for field in file.schema_arrow if not is_bytes(field.type)]
            for batch in file.iter_batches(batch_size=4096, columns=names):
                sys.stdout.write("".join(line(row) + "\\n" for row in batch.to_pylist()))
            sys.stdout.flush()
        except Exception as error:
            sys.stderr.write(" ".join(f"{type(error).__name__}: {error}".split())[:500])
            sys.exit(4)
        """
}
