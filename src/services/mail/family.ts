import type { Answer, ApiError, ApiFamily } from '../../kernel/http/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import { isoTime } from '../../kernel/time/index.ts';
import type { MailShape } from './shape.ts';

/** Enough for an attachment of 3 MB in base64. Larger attachments need an upload session. */
export const LARGEST_REQUEST_BYTES = 6 * 1024 * 1024;

export const JSON_TYPE =
  'application/json; odata.metadata=minimal; odata.streaming=true; IEEE754Compatible=false; charset=utf-8';

const object = (properties: Readonly<Record<string, object>>, required: readonly string[] = []) => ({
  type: 'object',
  required,
  properties,
});
const text = { type: 'string' };

/** A literal instead of a built schema, since it is loaded at every start. */
const errorSchema = object(
  {
    error: object(
      {
        code: text,
        message: text,
        target: text,
        innerError: object({ date: text, 'request-id': text, 'client-request-id': text }),
      },
      ['code', 'message'],
    ),
  },
  ['error'],
);

const REFUSALS: Readonly<Record<number, string>> = {
  401: 'There is no valid token',
  403: 'The token lacks a permission, or the mailbox is not shared with its caller',
  404: 'There is no such user, or the user has no mailbox',
  429: 'Too many requests of the application to the mailbox',
};

/** The behaviour of mail and calendar on the wire. */
export const MAIL_FAMILY: ApiFamily<MailShape> = {
  name: 'mail',
  steps: [],
  renderError: (error, call) => ({
    status: error.status,
    headers: { 'content-type': 'application/json' },
    body: errorBody(error, call),
  }),
  errorSchema: errorSchema as never,
  refusals: ({ open }) => (open ? {} : REFUSALS),
  commonHeaders: (call: Call) => ({
    'content-type': JSON_TYPE,
    'odata-version': '4.0',
    'request-id': call.requestId,
    'client-request-id': clientRequestId(call),
    'cache-control': 'private',
    'x-ms-ags-diagnostic': DIAGNOSTIC,
    'x-content-type-options': 'nosniff',
  }),
  bodyLimitBytes: LARGEST_REQUEST_BYTES,
  cors: true,
  codes: {
    malformedJson: 'BadRequest',
    invalidBody: 'BadRequest',
    invalidQuery: 'BadRequest',
    bodyTooLarge: 'RequestEntityTooLarge',
    unsupportedMediaType: 'BadRequest',
    notFound: 'BadRequest',
    methodNotAllowed: 'MethodNotAllowed',
    preconditionFailed: 'ErrorIrresolvableConflict',
    internal: 'InternalServerError',
    unavailable: 'ServiceUnavailable',
  },
  statusCodes: {
    429: 'TooManyRequests',
    401: 'InvalidAuthenticationToken',
    404: 'ErrorItemNotFound',
    403: 'ErrorAccessDenied',
  },
};

const DIAGNOSTIC =
  '{"ServerInfo":{"DataCenter":"Cloudjar","Slice":"E","Ring":"1","ScaleUnit":"000","RoleInstance":"JAR"}}';

export interface ErrorContext {
  readonly requestId: string;
  readonly receivedAt: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The client's request id, otherwise the jar's own. */
export function clientRequestId({ headers, requestId }: Pick<ErrorContext, 'headers' | 'requestId'>): string {
  const sent = headers['client-request-id'];
  return typeof sent === 'string' && /^[\w.:-]{1,128}$/.test(sent) ? sent : requestId;
}

export function errorBody({ status, code, message, target }: ApiError, context: ErrorContext): object {
  const date = isoTime(context.receivedAt).slice(0, 19);
  const ids = { 'request-id': context.requestId, 'client-request-id': clientRequestId(context) };
  const throttled = status === 429 ? { code: '429', message: 'Please retry after', status: '429' } : {};
  return {
    error: { code, message, ...(target !== undefined && { target }), innerError: { ...throttled, date, ...ids } },
  };
}

/** Renders an error for an item of a batch. */
export const errorAnswer = (error: ApiError, context: ErrorContext): Answer => ({
  status: error.status,
  headers: { ...error.headers, 'content-type': 'application/json' },
  body: errorBody(error, context),
});
