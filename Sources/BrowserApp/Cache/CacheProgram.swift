import BrowserCore
import Foundation
import ImageLoading
import Terminal

/// The cache inspection screen as it runs.
@MainActor
public final class CacheProgram {
    private let disk: DiskStorage
    private let environment: [String: String]
    private let inbox = Inbox<CacheScreenMessage>()
    private var state: CacheScreenState
    private var isRunning = true

    public init(
        disk: DiskStorage, isASCII: Bool = false, environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.disk = disk
        self.environment = environment
        state = CacheScreenState(isASCII: isASCII)
    }

    /// Runs until the user quits; throws `ProgramProblem` when there is no terminal that can be used.
    public func run() async throws(ProgramProblem) {
        let device: TerminalDevice
        do throws(TerminalError) { device = try TerminalDevice(variables: environment) } catch {
            throw ProgramProblem("the cache screen needs a terminal: \(error.explanation); try: alcedo cache ls")
        }
        let listening = Task { await listen(to: device) }
        inbox.post(.resized(device.size, device.capabilities.cell))
        await loop(device)
        device.close()
        listening.cancel()
        await disk.flush()
    }

    private func loop(_ device: TerminalDevice) async {
        let pacer = FramePacer { [inbox] in inbox.wake() }
        for await _ in inbox.wakes {
            for message in [.tick(milliseconds: pacer.milliseconds)] + inbox.drain() {
                for effect in CacheScreenUpdate.update(&state, message) { perform(effect, on: device) }
            }
            guard isRunning else { break }
            pacer.setTick(milliseconds: state.tickInterval)
            if pacer.mayDraw() { device.present(CacheScreenView.frame(state), pictures: []) }
        }
        pacer.stop()
    }

    private func perform(_ effect: CacheScreenEffect, on device: TerminalDevice) {
        switch effect {
        case .query(let id, let query): Task { await answer(id, query) }
        case .delete(let ids): Task { await delete(ids.compactMap { Int64($0) }) }
        case .redraw: device.invalidate()
        case .suspend: device.suspend()
        case .quit: isRunning = false
        }
    }

    private func answer(_ id: RequestID, _ query: CacheQuery) async {
        let filter: CacheFilter
        do throws(CacheFilter.Problem) { filter = try CacheFilter(query.filter) } catch {
            return inbox.post(.notice("'\(error.term)': expected \(error.expected)"))
        }
        do throws(ImageError) {
            let page = try await disk.entries(
                CacheEntryQuery(
                    filter: filter, order: .init(query.order), isAscending: query.ascending, offset: query.offset,
                    limit: query.limit))
            let rows = page.entries.map { CacheRow($0, now: Date()) }
            inbox.post(.rows(id, offset: query.offset, rows: rows, count: page.count))
            inbox.post(.totals(CacheTotals(try await disk.statistics())))
        } catch {
            inbox.post(.notice(error.title))
        }
    }

    private func delete(_ ids: [Int64]) async {
        do throws(ImageError) {
            let before = try await disk.statistics()
            try await disk.remove(ids: ids)
            let after = try await disk.statistics()
            inbox.post(.deleted(entries: ids.count, bytes: max(0, before.bytes - after.bytes)))
        } catch {
            inbox.post(.notice(error.title))
        }
    }

    private func listen(to device: TerminalDevice) async {
        for await event in device.events {
            switch event {
            case .key(.control("c")): inbox.post(.key(.character("q")))
            case .key(let key): inbox.post(.key(key))
            case .resized(let size, let cell): inbox.post(.resized(size, cell))
            case .signal(.continued): inbox.post(.resumed)
            case .signal:
                isRunning = false
                inbox.wake()
            case .paste, .mouse, .focus, .reply, .capabilitiesChanged: break
            }
        }
    }
}
