import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension MoyaProvider {
    /// Returns the pages of a list; each page is loaded when the iteration requests it.
    ///
    /// ```swift
    /// for try await page in provider.pages(.repositories("ash"), next: .link) { print(page.value.count) }
    /// let firstTwenty = provider.pages(.repositories("ash"), next: .link).items.prefix(20)
    /// ```
    /// Each page is requested separately, as with `value(_:)`, including plugins, interceptors and decoding.
    ///
    /// - Parameters:
    ///   - first: the target of the first page, and the type that each page is decoded to.
    ///   - next: the rule that finds the next page.
    public func pages<Page>(
        _ first: TypedTarget<Target, Page>, next: PaginationRule<Target, Page>
    ) -> Pages<Page> {
        Pages { position, completion in
            do throws(MoyaError) {
                return self.load(try self.pageRequest(position, first, next), position, next, completion)
            } catch {
                completion(.failure(error))
                return ScheduledWork {}
            }
        }
    }

    private func pageRequest<Page>(
        _ position: Pages<Page>.Position, _ first: TypedTarget<Target, Page>, _ rule: PaginationRule<Target, Page>
    ) throws(MoyaError) -> PageRequest<Target, Page> {
        if let failure = position.failure { throw failure }
        let firstPage = endpoint(first)
        switch position.cursor?.locator {
        case nil: return PageRequest(target: first, endpoint: firstPage, firstPageURL: firstPage.url)
        case .url(let url):
            guard rule.target == nil else { throw .wrongCursor }
            // The app may have read the cursor from a file, so the cursor's URL is checked like a URL from a server.
            let origin = try MoyaError.wrapping { () throws(TransportError) in try URL(checkedForHTTP: firstPage.url) }
            let url = try URL.nextPage(url, base: nil, origin: origin)
            return PageRequest(target: first, endpoint: firstPage.page(at: url), firstPageURL: firstPage.url)
        case .token(let token):
            guard let makeTarget = rule.target else { throw .wrongCursor }
            do {
                let target = TypedTarget(try makeTarget(token), first.mapping)
                return PageRequest(target: target, endpoint: endpoint(target), firstPageURL: firstPage.url)
            } catch {
                throw MoyaError(ending: error)
            }
        }
    }

    private func load<Page>(
        _ request: PageRequest<Target, Page>, _ position: Pages<Page>.Position, _ rule: PaginationRule<Target, Page>,
        _ completion: @escaping @Sendable (Result<Pages<Page>.LoadedPage, MoyaError>) -> Void
    ) -> any Cancellable {
        let target = TypedTarget<Target, Pages<Page>.LoadedPage>(
            request.target.target,
            request.target.mapping.withResponse.map { page, response in
                rule.loaded(page, response, at: position, firstPageURL: request.firstPageURL)
            })
        return requestValue(target, request.endpoint, callbackQueue: nil, completion: completion)
    }
}

extension MoyaProvider where Target: DecodableTargetType {
    /// Returns the pages of a list; each page has the type that the first target declares for its response.
    public func pages(_ first: Target, next: PaginationRule<Target, Target.Value>) -> Pages<Target.Value> {
        pages(first.typed, next: next)
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// Returns the pages of a list; the first target may be of any type that declares the type of its response.
    public func pages<Typed: DecodableTargetType>(
        _ first: Typed, next: PaginationRule<Typed, Typed.Value>
    ) -> Pages<Typed.Value> {
        pages(first.typed.multiTarget, next: next.multiTarget)
    }
}

/// The URL of the next page must have the origin of `firstPageURL`: no other origin may receive the credentials.
private struct PageRequest<Target: RelativeTarget, Page: Sendable>: Sendable {
    let target: TypedTarget<Target, Page>
    let endpoint: Endpoint
    let firstPageURL: String
}

extension PaginationRule {
    /// If the next position can't be found, the page is still delivered, and loading the next one throws the error.
    fileprivate func loaded(
        _ page: Page, _ response: Response, at position: Pages<Page>.Position, firstPageURL: String
    ) -> Pages<Page>.LoadedPage {
        var next: Pages<Page>.Position?
        do {
            next = try self.position(after: page, response, at: position, firstPageURL: firstPageURL)
        } catch {
            next = Pages<Page>.Position(
                history: position.history, failure: error as? MoyaError ?? .underlying(error, response))
        }
        return Pages<Page>.LoadedPage(
            element: .init(value: page, response: response, next: next?.cursor), next: next)
    }

    private func position(
        after page: Page, _ response: Response, at position: Pages<Page>.Position, firstPageURL: String
    ) throws -> Pages<Page>.Position? {
        let history = position.history
        var token: String?
        if case .token(let current) = position.cursor?.locator { token = current }
        // `history` detects links back to earlier pages. The first page has no cursor, so it is added here; only a rule
        // that finds pages by URL needs it.
        if position.cursor == nil, target == nil, let url = response.requestURL {
            _ = history.insert(.url(url.withoutFragment.absoluteString))
        }
        let locator: PageCursor.Locator
        switch try next(page, response, token) {
        case .end: return nil
        case .token(let token): locator = .token(token)
        case .url(let reference):
            let url = try URL.nextPage(
                reference, base: response.requestURL, origin: URL(checkedForHTTP: firstPageURL))
            locator = .url(url.withoutFragment.absoluteString)
        }
        guard history.insert(locator) else {
            throw MoyaError.requestMapping(
                "the next page is one that was delivered already: the server's pages have no end")
        }
        return Pages<Page>.Position(cursor: PageCursor(locator: locator), history: history)
    }
}

extension MoyaError {
    fileprivate static var wrongCursor: MoyaError {
        .requestMapping("the cursor is of another kind of pagination: a URL and a token are not the same")
    }
}

extension Endpoint {
    fileprivate func page(at url: URL) -> Endpoint {
        Endpoint(
            url: url.absoluteString, sampleResponseClosure: sampleResponseClosure, method: method,
            task: method.isSafe ? .requestPlain : task.withoutQuery, httpHeaderFields: httpHeaderFields)
    }
}

extension RequestTask {
    fileprivate var withoutQuery: RequestTask {
        switch self {
        case .requestCompositeData(let data, _, _): .requestData(data)
        case .requestCompositeJSONEncodable(let value, let encoder, _, _):
            .requestCustomJSONEncodable(value, encoder: encoder)
        case .requestCompositeParameters(let parameters, let encoding, _, _):
            .requestParameters(parameters: parameters, encoding: encoding)
        case .requestParameters(_, let encoding as URLEncoding) where encoding.destination == .queryString:
            .requestPlain
        case .uploadCompositeMultipartFormData(let form, _, _): .uploadMultipartFormData(form)
        default: self
        }
    }
}
