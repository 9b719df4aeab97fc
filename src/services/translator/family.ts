import type { Answer, ApiError, ApiFamily, Credential } from '../../kernel/http/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import { clientTraceId, noteTraceId } from './checks.ts';
import { statusOf } from './errors.ts';
import type { TranslatorShape } from './jar.ts';

/** Maximum size of 50,000 characters, each as two JSON escapes, and room for the rest of the body. */
const LARGEST_REQUEST_BYTES = 1024 * 1024;

/** A literal rather than built schema, since it is loaded at every start. */
const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'integer' }, message: { type: 'string' } },
    },
  },
};

const KEY: Credential = { header: 'Ocp-Apim-Subscription-Key' };

/** Wire behaviour of the translator. */
export const TRANSLATOR_FAMILY: ApiFamily<TranslatorShape> = {
  name: 'translator',
  steps: [],
  renderError,
  errorSchema: errorSchema as never,
  credentials: ({ open, traits }) => (open ? [] : traits?.keysOnly ? [KEY] : [KEY, 'bearer']),
  commonHeaders: (call: Call) => ({ 'x-requestid': call.requestId, 'x-content-type-options': 'nosniff' }),
  bodyLimitBytes: LARGEST_REQUEST_BYTES,
  cors: true,
  codes: {
    malformedJson: '400074',
    invalidBody: '400000',
    invalidQuery: '400000',
    bodyTooLarge: '400077',
    unsupportedMediaType: '415000',
    notFound: '404000',
    methodNotAllowed: '405000',
    preconditionFailed: '412000',
    internal: '500000',
    unavailable: '503000',
  },
  statusCodes: { 413: '413000', 429: '429001' },
};

function renderError(error: ApiError, call: Call): Answer {
  const code = codeOf(error);
  noteTraceId(call);
  return {
    status: statusOf(code),
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: { error: { code, message: error.message + signature(statusOf(code), call) } },
  };
}

/** A status injected by a fault rule has an error code of its own only if the real service has one. */
const codeOf = ({ code, status }: ApiError): number => (/^\d{6}$/.test(code) ? Number(code) : status * 1000);

/** Suffix of error messages: ids to report for server errors, and always the client's name for its request. */
function signature(status: number, call: Call): string {
  const traceId = clientTraceId(call);
  const trace = traceId === undefined ? '' : ` X-ClientTraceId: ${traceId}.`;
  if (status < 500) return trace;
  return ` Time: ${new Date(call.jar.clock.now()).toISOString()}. X-RequestId: ${call.requestId}.${trace}`;
}
