/// Starts an operation and waits for its result.
///
/// Cancelling the task cancels the operation. A cancelled operation must still deliver a result: an error of the kind
/// `cancelled`. If the result is delivered before `start` returns, this function does not suspend.
///
/// - Parameter start: starts the operation, which sets the result, and returns a token that cancels the operation.
func awaitingResult<Value: Sendable>(
    _ start: (FirstResult<Result<Value, MoyaError>>) -> any Cancellable
) async -> Result<Value, MoyaError> {
    if Task.isCancelled { return .failure(.cancelled) }
    let first = FirstResult<Result<Value, MoyaError>>()
    let token = start(first)
    if let result = first.current { return result }
    return await withTaskCancellationHandler {
        await first.value()
    } onCancel: {
        token.cancel()
    }
}
