import ArgumentParser
@main struct Alcedo: AsyncParsableCommand {}
