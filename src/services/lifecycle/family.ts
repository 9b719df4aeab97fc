import type { Answer, ApiError, ApiFamily } from '../../kernel/http/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import { GatewayError } from './errors.ts';
import { credentials, errorSchema, refusals } from './openapi.ts';
import { type Area, type LifecycleShape, traitsOf } from './operation.ts';
import { unmatched } from './require-body.ts';

/** Limit for the logs of an app, including crash attachments. */
const LARGEST_REQUEST_BYTES = 20 * 1024 * 1024;

/** Wire behaviour of the app lifecycle API. */
export const LIFECYCLE_FAMILY: ApiFamily<LifecycleShape> = {
  name: 'lifecycle',
  steps: [],
  renderError,
  unmatched,
  errorSchema: errorSchema as never,
  credentials,
  refusals,
  commonHeaders: (call: Call) => ({ 'x-correlation-id': call.correlationId, 'x-content-type-options': 'nosniff' }),
  bodyLimitBytes: LARGEST_REQUEST_BYTES,
  json: { bytes: LARGEST_REQUEST_BYTES },
  cors: false,
  codes: {
    malformedJson: 'BadRequest',
    invalidBody: 'BadRequest',
    invalidQuery: 'BadRequest',
    bodyTooLarge: 'PayloadTooLarge',
    unsupportedMediaType: 'UnsupportedMediaType',
    notFound: 'Not Found',
    methodNotAllowed: 'Method Not Allowed',
    preconditionFailed: 'PreconditionFailed',
    internal: 'InternalServerError',
    unavailable: 'ServiceUnavailable',
  },
};

type Wrap = (error: ApiError, call: Call) => unknown;

const coded: Wrap = ({ code, message }) => ({ error: { code, message } });
const bare: Wrap = ({ message }) => ({ message });

const WRAPS: Readonly<Record<Area, Wrap>> = {
  accounts: coded,
  diagnostics: coded,
  exports: coded,
  analytics: ({ status, message }) => ({ error: { code: status, message } }),
  crashes: bare,
  symbols: bare,
  symbolGroups: ({ code, message }) => ({ code, message }),
  // Same body as for accepted logs, only the status differs: SDKs parse both alike.
  logs: ({ code, message }, { correlationId }) => ({
    status: code,
    message,
    validDiagnosticsIds: [],
    throttledDiagnosticsIds: [],
    correlationId,
  }),
};

const gatewayWrap: Wrap = ({ status, code, message }) => ({ message, statusCode: status, code });

function renderError(error: ApiError, call: Call): Answer {
  const { area } = traitsOf(call.route);
  const wrap = area === undefined || error instanceof GatewayError ? gatewayWrap : WRAPS[area];
  return {
    status: error.status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: wrap(error, call),
  };
}
