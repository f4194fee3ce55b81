import AlcedoDemoServer

/// The server's side of one connection.
actor HTTP2Connection {
    private let socket: LoopbackConnection
    private let server: HTTP2Server
    private let number: Int

    /// Frames in the order of sending; one task writes them.
    ///
    /// Bodies wait for their windows, so few are ever in it.
    private let frames = AsyncStream.makeStream(of: HTTP2Frame.self)
    private var decoder = HPACKDecoder()
    /// A header block whose frames are not all there yet.
    private var block: (stream: Int, bytes: [UInt8])?
    private var streams: [Int: Task<Void, Never>] = [:]
    private var streamCount = 0
    private var isLeaving = false

    private var connectionWindow = 65_535
    private var initialWindow = 65_535
    private var windows: [Int: Int] = [:]
    private var windowWaiters: [CheckedContinuation<Void, Never>] = []

    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    init(socket: LoopbackConnection, server: HTTP2Server, number: Int) {
        (self.socket, self.server, self.number) = (socket, server, number)
    }

    /// Serves the connection to its end.
    func serve() async {
        let writing = Task { [socket, stream = frames.stream] in
            for await frame in stream {
                guard (try? await socket.write(frame.bytes)) != nil else { return }
            }
            socket.close()
        }
        // A client that leaves, or breaks the rules, ends the connection.
        try? await receive()
        for task in streams.values { task.cancel() }
        (streams, windows) = ([:], [:])
        wakeWaiters()
        frames.continuation.finish()
        await writing.value
    }

    private func receive() async throws {
        var bytes: [UInt8] = []
        while bytes.count < Self.preface.count, Self.preface.starts(with: bytes) {
            let more = try await socket.read()
            if more.isEmpty { return }
            bytes += more
        }
        guard bytes.starts(with: Self.preface) else { return try await serveHTTP1(bytes) }
        bytes.removeFirst(Self.preface.count)
        send(HTTP2Frame(.settings))
        while true {
            while let frame = HTTP2Frame(from: &bytes) { try handle(frame) }
            let more = try await socket.read()
            if more.isEmpty { return }
            bytes += more
        }
    }

    private func send(_ frame: HTTP2Frame) { frames.continuation.yield(frame) }

    // MARK: Frames of the client

    private func handle(_ frame: HTTP2Frame) throws {
        switch frame.kind {
        case .settings where frame.flags & HTTP2Frame.Flag.acknowledge == 0:
            apply(frame.settings)
            send(HTTP2Frame(.settings, flags: HTTP2Frame.Flag.acknowledge))
        case .ping where frame.flags & HTTP2Frame.Flag.acknowledge == 0:
            send(HTTP2Frame(.ping, flags: HTTP2Frame.Flag.acknowledge, frame.payload))
        case .windowUpdate:
            let amount = HTTP2Frame.number(frame.payload[...])
            if frame.stream == 0 { connectionWindow += amount } else { windows[frame.stream]? += amount }
            wakeWaiters()
        case .reset:
            streams.removeValue(forKey: frame.stream)?.cancel()
            windows[frame.stream] = nil
            wakeWaiters()
        case .headers:
            block = (frame.stream, Array(frame.content))
            if frame.flags & HTTP2Frame.Flag.endHeaders != 0 { try finishBlock() }
        case .continuation:
            block?.bytes += frame.payload
            if frame.flags & HTTP2Frame.Flag.endHeaders != 0 { try finishBlock() }
        default: break
        }
    }

    private func apply(_ settings: [(identifier: Int, value: Int)]) {
        // SETTINGS_INITIAL_WINDOW_SIZE changes the windows of open streams, too.
        for setting in settings where setting.identifier == 4 {
            for stream in windows.keys { windows[stream]? += setting.value - initialWindow }
            initialWindow = setting.value
        }
        wakeWaiters()
    }

    private func finishBlock() throws {
        guard let block else { return }
        self.block = nil
        let fields = try decoder.fields(block.bytes)
        // Others are trailers of a request.
        guard fields.contains(where: { $0.name == ":method" }), !isLeaving else { return }
        streamCount += 1
        windows[block.stream] = initialWindow
        if streamCount == server.streamsPerConnection {
            isLeaving = true
            goAway(.noError, lastStream: block.stream)
        }
        streams[block.stream] = Task { await respond(fields, on: block.stream) }
    }

    // MARK: Answers

    private func respond(_ fields: [HTTP2Field], on stream: Int) async {
        let answer = await server.answer(fields, connection: number, stream: stream)
        if windows[stream] != nil { await send(answer, on: stream) }
        streams[stream] = nil
        windows[stream] = nil
        if isLeaving, streams.isEmpty { frames.continuation.finish() }
    }

    private func send(_ answer: HTTP2Answer, on stream: Int) async {
        if answer.hasHead {
            let isEmpty = answer.body.isEmpty && answer.trailers.isEmpty && answer.fault == nil
            sendBlock([HTTP2Field(":status", "\(answer.status)")] + answer.fields, on: stream, isLast: isEmpty)
            if isEmpty { return }
            let isLast = answer.trailers.isEmpty && answer.fault == nil && !answer.isEndless
            repeat {
                guard await sendBody(answer.body, on: stream, isLast: isLast) else { return }
            } while answer.isEndless
            if !answer.trailers.isEmpty { sendBlock(answer.trailers, on: stream, isLast: answer.fault == nil) }
        }
        switch answer.fault {
        case nil: break
        case .goAway(let code, let last):
            isLeaving = true
            goAway(code, lastStream: last)
            frames.continuation.finish()
        case .reset(let code): send(HTTP2Frame(.reset, stream: stream, HTTP2Frame.bytes(code.rawValue)))
        case .stall:
            while windows[stream] != nil { await windowChange() }
        }
    }

    private func goAway(_ code: HTTP2Code, lastStream: Int) {
        send(HTTP2Frame(.goAway, HTTP2Frame.bytes(lastStream) + HTTP2Frame.bytes(code.rawValue)))
    }

    private func sendBlock(_ fields: [HTTP2Field], on stream: Int, isLast: Bool) {
        var rest = HPACKEncoder.block(fields)[...]
        var kind = HTTP2Frame.Kind.headers
        var flags = isLast ? HTTP2Frame.Flag.endStream : 0
        repeat {
            let piece = Array(rest.prefix(HTTP2Frame.limit))
            rest = rest.dropFirst(piece.count)
            if rest.isEmpty { flags |= HTTP2Frame.Flag.endHeaders }
            send(HTTP2Frame(kind, flags: flags, stream: stream, piece))
            (kind, flags) = (.continuation, 0)
        } while !rest.isEmpty
    }

    /// Sends as the windows allow; false when the stream or the connection ended before the last byte.
    private func sendBody(_ body: [UInt8], on stream: Int, isLast: Bool) async -> Bool {
        var rest = body[...]
        while let window = windows[stream] {
            let count = min(rest.count, HTTP2Frame.limit, window, connectionWindow)
            if count <= 0, !rest.isEmpty {
                await windowChange()
                continue
            }
            let piece = Array(rest.prefix(count))
            rest = rest.dropFirst(count)
            windows[stream] = window - count
            connectionWindow -= count
            let flags = isLast && rest.isEmpty ? HTTP2Frame.Flag.endStream : 0
            if !piece.isEmpty || flags != 0 { send(HTTP2Frame(.data, flags: flags, stream: stream, piece)) }
            if rest.isEmpty { return true }
        }
        return false
    }

    private func windowChange() async { await withCheckedContinuation { windowWaiters.append($0) } }

    private func wakeWaiters() {
        for waiter in windowWaiters { waiter.resume() }
        windowWaiters = []
    }

    // MARK: HTTP/1.1

    private func serveHTTP1(_ bytes: [UInt8]) async throws {
        var buffer = HeadBuffer()
        buffer.append(bytes)
        while !buffer.isTooLong {
            while let head = buffer.next() {
                let request = RecordedRequest(head: head, connection: number)
                let answer = await server.answer(request.http2Fields, connection: number, stream: 0)
                guard answer.hasHead, answer.fault == nil, !answer.isEndless else { return }
                let fields = answer.fields.map { ($0.name, $0.value) } + [("content-length", "\(answer.body.count)")]
                try await socket.write(FaultScript.head(answer.status, fields) + answer.body)
            }
            let more = try await socket.read()
            if more.isEmpty { return }
            buffer.append(more)
        }
    }
}

extension RecordedRequest {
    /// The fields as HTTP/2 names them.
    fileprivate var http2Fields: [HTTP2Field] {
        let lines = head.split(separator: "\r\n").dropFirst()
        let fields = lines.compactMap { line in
            line.firstIndex(of: ":").map { colon in
                HTTP2Field(
                    line[..<colon].lowercased(), String(line[line.index(after: colon)...].drop { $0 == " " }))
            }
        }
        return [HTTP2Field(":method", method), HTTP2Field(":path", path)] + fields
    }
}
