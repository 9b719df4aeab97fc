import {
  type Answer,
  type ApiError,
  type ApiFamily,
  corsHeaders,
  type FamilyShape,
  routesFor,
} from '../../kernel/http/index.ts';
import type { Call, Jar } from '../../kernel/service/index.ts';
import { IdentityError } from './errors.ts';
import { errorPage } from './pages/messages.ts';

/** The largest bodies are forms with a sealed request. The limit is small because anonymous callers may send one. */
const BODY_LIMIT_BYTES = 256 * 1024;
/** Limit for bodies that are ignored. */
export const UNUSED_BODY_BYTES = 4 * 1024;

const MALFORMED = 9002313;
const INTERNAL = 90033;

/** OAuth on the wire: errors as in RFC 6749, with the numbers that client libraries search for. Routes for people answer with pages. */
export interface IdentityShape extends FamilyShape {
  /** `page`: a browser shows the answers and errors to a person. `cors`: scripts of any origin may read the answer. */
  readonly traits: { readonly page?: boolean; readonly cors?: boolean };
}

export const { route } = routesFor<Jar, IdentityShape>();

export const IDENTITY_FAMILY: ApiFamily<IdentityShape> = {
  name: 'identity',
  steps: [],
  renderError(error, call) {
    const told = describe(error, call);
    if (call.route.traits?.page === true) return errorPage(error.status, told);
    return {
      status: error.status,
      headers: { 'content-type': 'application/json; charset=utf-8', ...challenge(error), ...error.headers },
      body: told,
    };
  },
  commonHeaders: (call) => ({
    'cache-control': 'no-store',
    pragma: 'no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-ms-request-id': call.requestId,
    // Only for routes that are meant for scripts of other origins; a sign-in page is not.
    ...(call.route.traits?.cors === true && corsHeaders(call, ['x-ms-request-id'])),
  }),
  bodyLimitBytes: BODY_LIMIT_BYTES,
  cors: false,
  codes: {
    malformedJson: 'invalid_request',
    invalidBody: 'invalid_request',
    invalidQuery: 'invalid_request',
    bodyTooLarge: 'invalid_request',
    unsupportedMediaType: 'invalid_request',
    notFound: 'invalid_request',
    methodNotAllowed: 'invalid_request',
    preconditionFailed: 'temporarily_unavailable',
    internal: 'server_error',
    unavailable: 'temporarily_unavailable',
  },
};

export interface Description {
  readonly error: string;
  readonly error_description: string;
  readonly error_codes: readonly number[];
  readonly timestamp: string;
  readonly trace_id: string;
  readonly correlation_id: string;
}

type Described = Pick<Call, 'receivedAt' | 'requestId' | 'correlationId' | 'headers' | 'query'>;

/** The description of an error for JSON answers, pages and redirects. */
export function describe(error: ApiError, call: Described): Description {
  const number = error instanceof IdentityError ? error.number : error.status >= 500 ? INTERNAL : MALFORMED;
  const timestamp = `${new Date(call.receivedAt).toISOString().slice(0, 19).replace('T', ' ')}Z`;
  const correlationId = clientRequestId(call) ?? call.correlationId;
  return {
    error: error.code,
    error_description: `AADSTS${number}: ${error.message} Trace ID: ${call.requestId} Correlation ID: ${correlationId} Timestamp: ${timestamp}`,
    error_codes: [number],
    timestamp,
    trace_id: call.requestId,
    correlation_id: correlationId,
  };
}

/** Clients of this service send their correlation id in a header, or in the query of a page. */
function clientRequestId(call: Described): string | undefined {
  const sent = call.headers['client-request-id'] ?? call.query['client-request-id'];
  return typeof sent === 'string' && /^[0-9a-f-]{36}$/i.test(sent) ? sent.toLowerCase() : undefined;
}

function challenge(error: ApiError): Answer['headers'] {
  return error.code === 'invalid_client' ? { 'www-authenticate': 'Basic realm="cloudjar"' } : {};
}
