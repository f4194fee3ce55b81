import BrowserCore
import Foundation
import ImageLoading
import Terminal

/// The cache inspection screen as it runs.
@MainActor
public final class CacheProgram {
    private let disk: DiskStorage
    private let environment: [String: String]
    private let theme: ThemeChoice
    private let loop: ScreenLoop<CacheScreenState>

    public init(
        disk: DiskStorage, isASCII: Bool = false, theme: ThemeChoice = .auto,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.theme = theme
        self.disk = disk
        self.environment = environment
        loop = ScreenLoop(CacheScreenState(isASCII: isASCII))
    }

    /// Runs until the user quits; answers the exit code.
    ///
    /// Throws `ProgramProblem` when there is no terminal that can be used.
    public func run() async throws(ProgramProblem) -> Int32 {
        let device: TerminalDevice
        do throws(TerminalError) {
            device = try TerminalDevice(variables: environment, settings: TerminalSettings(theme: theme))
        } catch {
            throw ProgramProblem("the cache screen needs a terminal: \(error.explanation); try: alcedo cache ls")
        }
        return await run(on: device)
    }

    /// The same on a screen that is there.
    func run(on screen: any Screen) async -> Int32 {
        let code = await loop.run(on: screen) { perform($0, on: screen) }
        await disk.flush()
        return code
    }

    private func perform(_ effect: CacheScreenEffect, on screen: any Screen) {
        switch effect {
        case .query(let id, let query): Task { await answer(id, query) }
        case .delete(let ids): Task { await delete(ids.compactMap { Int64($0) }) }
        case .redraw: screen.invalidate()
        case .suspend: screen.suspend()
        case .quit: loop.quit()
        }
    }

    private func answer(_ id: RequestID, _ query: CacheQuery) async {
        let filter: CacheFilter
        do throws(CacheFilter.Problem) { filter = try CacheFilter(query.filter) } catch {
            return loop.inbox.post(.notice("'\(error.term)': expected \(error.expected)"))
        }
        do throws(ImageError) {
            let page = try await disk.entries(
                CacheEntryQuery(
                    filter: filter, order: .init(query.order), isAscending: query.ascending, offset: query.offset,
                    limit: query.limit))
            let rows = page.entries.map { CacheRow($0, now: Date()) }
            loop.inbox.post(.rows(id, offset: query.offset, rows: rows, count: page.count))
            loop.inbox.post(.totals(CacheTotals(try await disk.statistics())))
        } catch {
            loop.inbox.post(.notice(error.title))
        }
    }

    private func delete(_ ids: [Int64]) async {
        do throws(ImageError) {
            let before = try await disk.statistics()
            try await disk.remove(ids: ids)
            let after = try await disk.statistics()
            loop.inbox.post(.deleted(entries: ids.count, bytes: max(0, before.bytes - after.bytes)))
        } catch {
            loop.inbox.post(.notice(error.title))
        }
    }
}
