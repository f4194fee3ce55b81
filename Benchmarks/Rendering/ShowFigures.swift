import Foundation

/// Whole processes, from a file to the last byte of its picture, side by side.
enum ShowFigures {
    private static let box = 800
    private static let runs = 7

    /// Real pictures of Debian's packages mate-backgrounds, gnome-backgrounds and lomiri-wallpapers-16.04, and ours, which
    /// gets a box of its own width, as some peers scale up.
    static let pictures = [
        "/usr/share/backgrounds/mate/nature/Dune.jpg", "/usr/share/backgrounds/mate/nature/Garden.jpg",
        "/usr/share/backgrounds/mate/nature/FreshFlower.jpg",
        "/usr/share/backgrounds/mate/abstract/Elephants_5640x3172.jpg",
        "/usr/share/backgrounds/mate/abstract/Arc-Colors-Transparent-Wallpaper.png",
        "/usr/share/backgrounds/mate/desktop/Ubuntu-Mate-Cold-no-logo.png",
        "/usr/share/backgrounds/sunset_by_Aitzol_Berasategi.jpg",
        "/usr/share/backgrounds/Wine_by_Jakkub_Mede.jpg",
        "/usr/share/backgrounds/gnome/adwaita-l.webp",
        FileManager.default.currentDirectoryPath + "/assets/pictures/harbour.gif",
    ]

    static func run() throws {
        let peers = Peer.all.filter(\.isInstalled)
        print(
            "whole process, file to sixel in a box of \(box) × \(box) pixels, medians of \(runs) alternating runs, ms")
        print(row("picture", peers.map(\.name) + ["chafa / alcedo"]))
        var ratios: [String: [Double]] = [:]
        for picture in pictures where FileManager.default.fileExists(atPath: picture) {
            let medians = try measure(picture, peers)
            guard let own = medians["alcedo"] else { return }
            for (name, value) in medians { ratios[name, default: []].append(value / own) }
            let cells = peers.map { medians[$0.name].map { String(format: "%.0f", $0) } ?? "fails" }
            let ratio = medians["chafa"].map { String(format: "%.2f", $0 / own) } ?? "–"
            print(row(picture.split(separator: "/").last.map(String.init) ?? picture, cells + [ratio]))
        }
        for peer in peers.dropFirst() {
            guard let all = ratios[peer.name], !all.isEmpty else { continue }
            let mean = exp(all.reduce(0) { $0 + log($1) } / Double(all.count))
            let least = all.min() ?? 0
            print(
                String(format: "%@ / alcedo: geometric mean %.2f, least %.2f, of %d", peer.name, mean, least, all.count)
            )
        }
    }

    /// The peers take turns, so that whatever else the machine does falls on all of them.
    private static func measure(_ picture: String, _ peers: [Peer]) throws -> [String: Double] {
        var times: [String: [Double]] = [:]
        let box = picture.hasSuffix(".gif") ? 520 : box
        for _ in 0..<runs {
            for peer in peers {
                let (time, output) = try peer.show(picture, box: box)
                if output.count > 100 { times[peer.name, default: []].append(time) }
            }
        }
        return times.compactMapValues { $0.count == runs ? $0.sorted()[runs / 2] : nil }
    }

    private static func row(_ name: String, _ cells: [String]) -> String {
        let title = String(name.prefix(40)).padding(toLength: 42, withPad: " ", startingAt: 0)
        return cells.reduce(title) { $0 + String(repeating: " ", count: max(1, 15 - $1.count)) + $1 }
    }
}
