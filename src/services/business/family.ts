import type { Answer, ApiError, ApiFamily } from '../../kernel/http/index.ts';
import type { Call } from '../../kernel/service/index.ts';

const LARGEST_REQUEST_BYTES = 350 * 1024 * 1024;
const JSON_TYPE = 'application/json; odata.metadata=minimal';

/** Wire behaviour of the business application. */
export const BUSINESS: ApiFamily = {
  name: 'business',
  steps: [],
  renderError,
  commonHeaders: (call: Call) => ({
    'content-type': JSON_TYPE,
    'odata-version': '4.0',
    'request-id': call.requestId,
    'x-ms-correlation-id': call.correlationId,
    'x-content-type-options': 'nosniff',
  }),
  bodyLimitBytes: LARGEST_REQUEST_BYTES,
  cors: true,
  codes: {
    malformedJson: 'BadRequest',
    invalidBody: 'BadRequest',
    invalidQuery: 'BadRequest_InvalidRequestUrl',
    bodyTooLarge: 'RequestEntityTooLarge',
    unsupportedMediaType: 'BadRequest',
    notFound: 'BadRequest_ResourceNotFound',
    methodNotAllowed: 'BadRequest_MethodNotAllowed',
    preconditionFailed: 'Request_EntityChanged',
    internal: 'Internal_ServerError',
    unavailable: 'Internal_TenantUnavailable',
  },
  statusCodes: { 429: 'Application_TooManyRequests', 503: 'Internal_TenantUnavailable', 500: 'Internal_ServerError' },
};

function renderError({ status, code, message }: ApiError, call: Call): Answer {
  return { status, headers: { 'content-type': JSON_TYPE }, body: errorBody(code, message, call.correlationId) };
}

/** Two spaces around the label and a dot after the id, as in the real service. */
export const errorBody = (code: string, message: string, correlationId: string) => ({
  error: { code, message: `${message}  CorrelationId:  ${correlationId}.` },
});
