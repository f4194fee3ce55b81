import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct LineKernelTests {
    private static let kernels: [LineKernel] = [
        .scaling(1, to: 1), .scaling(5, to: 1), .scaling(100, to: 99), .scaling(101, to: 37), .scaling(4000, to: 3),
        .scaling(1600, to: 400), .blurring(1, sigma: 3), .blurring(20, sigma: 0.7), .blurring(50, sigma: 100),
    ]

    @Test(arguments: kernels)
    func `weights sum to one and stay within the line`(kernel: LineKernel) {
        for (result, start) in kernel.starts.enumerated() {
            let weights = kernel.weights[result * kernel.taps..<(result + 1) * kernel.taps]
            #expect(abs(weights.reduce(0, +) - 1) < 1e-5)
            #expect(start >= 0 && start + kernel.taps <= kernel.length)
        }
    }

    @Test func `scaling by one copies each pixel`() {
        let kernel = LineKernel.scaling(9, to: 9)
        for result in 0..<9 {
            for tap in 0..<kernel.taps {
                let weight = kernel.weights[result * kernel.taps + tap]
                #expect(abs(weight - (kernel.starts[result] + tap == result ? 1 : 0)) < 1e-6)
            }
        }
    }

    /// libjpeg makes 102 pixels of 203 at half the size.
    @Test(arguments: [40, 79]) func `a partly outside last pixel does not stretch the line`(result: Int) {
        let kernel = LineKernel.scaling(102, to: 80, extent: 101.5, part: result..<result + 1)
        let center = zip(kernel.starts[0]..., kernel.weights).reduce(0) { $0 + Float($1.0) * $1.1 }
        #expect(kernel.weights.count == kernel.taps)
        let expected = (Float(result) + 0.5) * 101.5 / 80 - 0.5
        #expect(abs(center - expected) < 0.1, "\(center) \(expected)")
    }

    @Test(arguments: [(399, 100, 1), (400, 100, 2), (800, 100, 4), (1_000, 1, 500)])
    func `pixels are averaged in blocks until a scale of two to four remains`(source: Int, target: Int, block: Int) {
        let kernel = LineKernel.scaling(source, to: target)
        #expect(kernel.block == block)
        #expect(kernel.length == (source + block - 1) / block)
    }
}
