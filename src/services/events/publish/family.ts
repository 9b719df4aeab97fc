import type { ApiFamily } from '../../../kernel/http/family.ts';

export const EVENT_DATA: ApiFamily = {
  name: 'event-data',
  steps: [],
  renderError: ({ status, code, message, details }) => ({ status, body: { error: { code, message, details } } }),
  commonHeaders: () => ({}),
  bodyLimitBytes: 1024 * 1024,
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
