extension Result {
    package var error: Failure? {
        if case .failure(let error) = self { return error }
        return nil
    }
}
