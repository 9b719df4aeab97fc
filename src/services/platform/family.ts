import type { Answer, ApiError, ApiFamily } from '../../kernel/http/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import { errors, GatewayError, malformedJson, PlatformError, type WireDetail } from './errors.ts';
import type { OperationTraits, PlatformShape } from './operation.ts';

type PlatformFamilyCall = Call<Call['params'], Call['query'], unknown, Call['jar'], PlatformShape>;

/** Maximum size of JSON; files are streams of any length. An import has 10 MB of base64. */
const LARGEST_REQUEST_BYTES = 32 * 1024 * 1024;

const text = { type: 'string' };

/** Written out rather than built, since it is loaded at every start. */
const errorSchema = {
  type: 'object',
  required: ['error_code', 'message'],
  properties: {
    error_code: { anyOf: [text, { type: 'integer' }] },
    message: text,
    details: { type: 'array', items: { type: 'object', required: ['@type'], properties: { '@type': text } } },
  },
};

const REFUSALS: Readonly<Record<number, string>> = {
  401: 'No credential was sent',
  403: 'The credential is invalid, the address of the caller is blocked, or a permission is missing',
  429: 'A rate limit was exceeded; Retry-After says when to retry',
};

/** Wire behaviour of the data platform. */
export const PLATFORM_FAMILY: ApiFamily<PlatformShape> = {
  name: 'platform',
  steps: [],
  renderError,
  errorSchema: errorSchema as never,
  refusals: ({ open }) => (open ? {} : REFUSALS),
  commonHeaders(call: PlatformFamilyCall) {
    const { workspace } = call.facts;
    return {
      'x-request-id': call.requestId,
      server: 'databricks',
      'server-timing': `request_id;dur=0;desc="${call.requestId}"`,
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
      ...(workspace && { 'x-databricks-org-id': workspace.id }),
    };
  },
  unmatched({ method, path }, { allow, hint }) {
    const more = allow.length > 0 ? `; this address takes ${allow.join(', ')}` : `.${hint}`;
    return errors.ENDPOINT_NOT_FOUND({ method, path: withoutVersion(path).slice(0, 300), more });
  },
  bodyLimitBytes: LARGEST_REQUEST_BYTES,
  // A group of 10,000 is sent back as it was read, with three names for each member.
  json: { bytes: LARGEST_REQUEST_BYTES, names: 50_000, values: 75_000 },
  anyContentType: true,
  malformedJson,
  cors: true,
  codes: {
    malformedJson: 'MALFORMED_REQUEST',
    invalidBody: 'MALFORMED_REQUEST',
    invalidQuery: 'INVALID_PARAMETER_VALUE',
    bodyTooLarge: 'MALFORMED_REQUEST',
    unsupportedMediaType: 'MALFORMED_REQUEST',
    notFound: 'ENDPOINT_NOT_FOUND',
    methodNotAllowed: 'ENDPOINT_NOT_FOUND',
    preconditionFailed: 'ABORTED',
    internal: 'INTERNAL_ERROR',
    unavailable: 'TEMPORARILY_UNAVAILABLE',
  },
  statusCodes: {
    400: 'BAD_REQUEST',
    401: 'UNAUTHENTICATED',
    403: 'PERMISSION_DENIED',
    404: 'NOT_FOUND',
    409: 'RESOURCE_CONFLICT',
    429: 'REQUEST_LIMIT_EXCEEDED',
    500: 'INTERNAL_ERROR',
    501: 'NOT_IMPLEMENTED',
    503: 'TEMPORARILY_UNAVAILABLE',
    504: 'DEADLINE_EXCEEDED',
  },
};

const withoutVersion = (path: string): string => path.replace(/^\/api\/[\d.]+/, '') || '/';

/** RFC 6749 codes are lower case; errors that the kernel detects have a code of the API. */
const oauthCode = ({ code, status }: ApiError): string =>
  /^[a-z_]+$/.test(code) ? code : status >= 500 ? 'server_error' : 'invalid_request';

const SCIM_ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

function renderError(error: ApiError, call: PlatformFamilyCall): Answer {
  const { status } = error;
  const isGateway = error instanceof GatewayError;
  const style = isGateway ? 'plain' : (call.route.traits?.errors ?? 'plain');
  const type = style === 'scim' ? 'application/scim+json' : 'application/json';
  return { status, headers: { 'content-type': `${type}; charset=utf-8` }, body: bodyOf(error, style, call) };
}

function bodyOf(error: ApiError, style: OperationTraits['errors'], { requestId }: PlatformFamilyCall): object {
  const { status, code, message, target } = error;
  if (style === 'old') return { error: `${code}: ${message}` };
  if (style === 'sharing') return { errorCode: code, message };
  if (style === 'oauth') return { error: oauthCode(error), error_description: message };
  const plain = { error_code: error instanceof GatewayError ? status : code, message };
  // Of SCIM errors, the published clients read code and message like those of any other error.
  if (style === 'scim') {
    const scimType = target !== undefined && /^[a-zA-Z]+$/.test(target) ? { scimType: target } : {};
    const details = error instanceof PlatformError ? { details: error.wireDetails.map(readable) } : {};
    return { schemas: [SCIM_ERROR], detail: message, status: String(status), ...scimType, ...plain, ...details };
  }
  if (error instanceof GatewayError) return plain;
  const details = error instanceof PlatformError ? error.wireDetails : [];
  const requestInfo = {
    '@type': 'type.googleapis.com/google.rpc.RequestInfo',
    request_id: requestId,
    serving_data: '',
  };
  return { ...plain, details: [...details, requestInfo].map(readable) };
}

/** The published JavaScript client reads `metadata` of each detail, and discards the whole error if a detail has none. */
const readable = (detail: WireDetail): WireDetail => ({ ...detail, metadata: detail.metadata ?? {} });
