import CSandbox
import Foundation
import Glibc
import Raster

/// Answers requests on a helper's socket until the program closes it; the zygote calls it in each helper.
@c(alcedo_helper_main)
public func runDecoderHelper(_ socket: Int32, _ status: Int32) {
    DecoderHelper(socket: socket, protections: SandboxProtections(rawValue: Int(status))).run()
}

/// The main loop of a helper process, which decodes one picture after another.
private struct DecoderHelper {
    let socket: Int32
    let protections: SandboxProtections

    func run() {
        InProcessDecoding.allow()
        var session = HelperSession(protections: protections)
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            var descriptor: Int32 = -1
            let count = sandbox_receive(socket, &buffer, buffer.count, &descriptor, -1)
            let file = SharedMemory(adopting: descriptor)
            guard count > 0, let request = try? HelperRequest(bytes: Array(buffer.prefix(count))) else { return }
            let contents = request.isForArchive || descriptor < 0 ? Data() : file.mapped() ?? Data()
            sandbox_begin_request(Int32(clamping: request.processorSeconds))
            guard send(session.answer(request, file: contents, descriptor: file.descriptor)) else { return }
        }
    }

    private func send(_ answer: HelperSession.Answer) -> Bool {
        let reply = answer.reply.bytes
        if case .bytes = answer.reply {
            guard let memory = SharedMemory([answer.bytes]) else { return false }
            return sandbox_send(socket, reply, reply.count, memory.descriptor) == 0
        }
        guard case .picture = answer.reply, let first = answer.pixels.first else {
            return sandbox_send(socket, reply, reply.count, -1) == 0
        }
        let delays = answer.delays.flatMap { delay in withUnsafeBytes(of: delay.littleEndian, Array.init) }
        guard let memory = SharedMemory([first.bytes, delays] + answer.pixels.dropFirst().map(\.bytes)) else {
            return false
        }
        return sandbox_send(socket, reply, reply.count, memory.descriptor) == 0
    }
}
