import Foundation
import Synchronization

/// The helper processes of the program, started on demand and used again.
final class HelperPool: Sendable {
    static let shared = HelperPool()

    private struct State {
        var idle: [Entry] = []
        /// The number of helpers that each file has ended, by the file's hash.
        var deaths: [Int: Int] = [:]
    }

    private struct Entry {
        let helper: HelperProcess
        let settings: HelperProcess.Settings
        var requests = 0
    }

    /// The number of requests after which a helper is replaced, so that leaks and damage do not add up.
    private static let requestLimit = 1000
    /// The number of helpers that a file may end; it is not tried again.
    private static let deathLimit = 3
    /// The largest number of files whose deaths are counted.
    private static let countedFiles = 10_000

    private let state = Mutex(State())
    private let idleLimit = ProcessInfo.processInfo.activeProcessorCount

    /// Starts a helper ahead of the first request, if none is idle.
    func prepare(_ settings: HelperProcess.Settings) {
        guard state.withLock({ $0.idle.isEmpty }), let helper = try? HelperProcess(settings) else { return }
        release(Entry(helper: helper, settings: settings))
    }

    /// Performs a request in a helper.
    ///
    /// - Throws: A failure, after which the helper has been ended.
    func perform<Value>(
        _ request: HelperRequest, on file: Data, _ settings: HelperProcess.Settings,
        _ body: (borrowing HelperProcess.Result) throws(HelperProcess.Failure) -> Value
    ) throws(HelperProcess.Failure) -> Value {
        // Hashing costs time, and most programs never see a death.
        let hasDeaths = state.withLock { !$0.deaths.isEmpty }
        if hasDeaths, state.withLock({ [hash = Self.hash(file)] in $0.deaths[hash, default: 0] >= Self.deathLimit }) {
            throw .ended("it ended \(Self.deathLimit) decoder processes and is not tried again")
        }
        var entry = try acquire(settings)
        do throws(HelperProcess.Failure) {
            let value = try body(try entry.helper.perform(request, on: file))
            entry.requests += 1
            release(entry)
            return value
        } catch {
            if case .unavailable = error { throw error }
            let hash = Self.hash(file)
            state.withLock { state in
                if state.deaths.count >= Self.countedFiles { state.deaths.removeAll() }
                state.deaths[hash, default: 0] += 1
            }
            throw error
        }
    }

    /// Returns a hash of all bytes; that of `Data` is of the first 80 only.
    private static func hash(_ file: Data) -> Int {
        var hasher = Hasher()
        file.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    private func acquire(_ settings: HelperProcess.Settings) throws(HelperProcess.Failure) -> Entry {
        let idle = state.withLock { state in
            state.idle.lastIndex { $0.settings == settings }.map { state.idle.remove(at: $0) }
        }
        if let idle { return idle }
        return Entry(helper: try HelperProcess(settings), settings: settings)
    }

    private func release(_ entry: Entry) {
        guard entry.requests < Self.requestLimit else { return }
        state.withLock { state in
            state.idle.append(entry)
            if state.idle.count > idleLimit { state.idle.removeFirst() }
        }
    }
}
