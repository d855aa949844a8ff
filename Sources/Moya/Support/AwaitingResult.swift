/// Starts an operation and waits for its result.
///
/// Cancelling the task cancels the operation. A cancelled operation must still deliver a result: an error of the kind
/// `cancelled`. If the result is delivered before `start` returns, this function does not suspend.
///
/// - Parameter start: starts the operation and returns a token that cancels the operation. The argument of `start` is
///   the closure that receives the result.
func awaitingResult<Value: Sendable>(
    _ start: (@escaping @Sendable (Result<Value, MoyaError>) -> Void) -> any Cancellable
) async -> Result<Value, MoyaError> {
    if Task.isCancelled { return .failure(.cancelled) }
    let first = FirstResult<Result<Value, MoyaError>>()
    let token = start { first.set($0) }
    if let result = first.current { return result }
    return await withTaskCancellationHandler {
        await first.value()
    } onCancel: {
        token.cancel()
    }
}
