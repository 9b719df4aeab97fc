export { bodyBytes, headerName } from './answer-parts.ts';
export { isJsonType } from './body.ts';
export { originForm } from './call.ts';
export { corsHeaders, preflightHeaders } from './cors.ts';
export { ApiError, type ErrorDetail, errorTable, NothingServed } from './errors.ts';
export type { ApiFamily, Credential, DescribedRoute } from './family.ts';
export { GrowingBytes } from './growing-bytes.ts';
export type { HostNames } from './host-names.ts';
export { LARGE_BODY_BYTES, type Lease, MemoryBudget } from './memory-budget.ts';
export { type Addressed, NearestPaths } from './nearest-path.ts';
export { nodeHttp, nodeHttps } from './node-http.ts';
export { Html, html, page, policyHash } from './page.ts';
export { decodeSkipToken, encodeSkipToken, nextLink } from './paging.ts';
export { API_PAGE, DOCS_SITE, hintOf } from './path-guide.ts';
export { parseQuery } from './query-string.ts';
export { isForReaders } from './reading.ts';
export {
  type Answer,
  type AnyRouteCode,
  accepted,
  type CoveredOperation,
  created,
  type FamilyShape,
  type Method,
  noContent,
  ok,
  type Route,
  type RouteHead,
  routeOf,
  routesFor,
} from './route.ts';
export { asApiError } from './server.ts';
export { CLOSE, type SocketConnection, type SocketHead, type SocketMessage, type SocketRoute } from './socket-route.ts';
