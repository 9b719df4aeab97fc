import type { Answer, ApiError, ApiFamily } from '../../../kernel/http/index.ts';
import type { Call } from '../../../kernel/service/index.ts';

/** Limit of one request, and therefore of one event. */
const LARGEST_REQUEST_BYTES = 1024 * 1024;

/** Wire behaviour of the publishing API. Who may publish depends on the topic, so the routes authenticate callers themselves. */
export const EVENT_DATA: ApiFamily = {
  name: 'event-data',
  steps: [],
  renderError,
  commonHeaders: (call: Call) => ({ 'x-ms-request-id': call.requestId, 'x-content-type-options': 'nosniff' }),
  bodyLimitBytes: LARGEST_REQUEST_BYTES,
  cors: true,
  codes: {
    malformedJson: 'BadRequest',
    invalidBody: 'BadRequest',
    invalidQuery: 'BadRequest',
    bodyTooLarge: 'RequestEntityTooLarge',
    unsupportedMediaType: 'UnsupportedMediaType',
    notFound: 'NotFound',
    methodNotAllowed: 'MethodNotAllowed',
    preconditionFailed: 'PreconditionFailed',
    internal: 'InternalServerError',
    unavailable: 'ServiceUnavailable',
  },
};

/** `details` is always present, as in the real service. */
function renderError({ status, code, message, details }: ApiError): Answer {
  const listed = details.length > 0 ? details : [{ code, message }];
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: { error: { code, message, details: listed } },
  };
}
