import type { Answer, ApiError, ApiFamily } from '../../kernel/http/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import type { DatasetsShape } from './operation.ts';

/** The body limit of pushes: 16 MB. */
export const LARGEST_REQUEST_BYTES = 16 * 1024 * 1024;

const JSON_TYPE = 'application/json; odata.metadata=minimal; odata.streaming=true';

const object = (properties: Readonly<Record<string, object>>, required: readonly string[] = []) => ({
  type: 'object',
  required,
  properties,
});
const text = { type: 'string' };
const list = (items: object) => ({ type: 'array', items });

/** Written out instead of generated, because it is loaded at every start. */
const errorSchema = object(
  {
    error: object(
      {
        code: text,
        message: text,
        details: list(object({ message: text, target: text }, ['message'])),
        'pbi.error': object({
          code: text,
          parameters: object({}),
          details: list(object({ code: text, detail: object({ type: { type: 'integer' }, value: text }) })),
          exceptionCulprit: { type: 'integer' },
        }),
      },
      ['code'],
    ),
  },
  ['error'],
);

const REFUSALS: Readonly<Record<number, string>> = {
  401: 'The token is missing or invalid, or the caller lacks the permission in the workspace; the body is empty',
  403: 'The token has expired or lacks a scope',
  404: 'The workspace does not exist, or the caller has no access to it',
};

/** Wire behaviour of push datasets. */
export const DATASETS_FAMILY: ApiFamily<DatasetsShape> = {
  name: 'datasets',
  steps: [],
  renderError,
  errorSchema: errorSchema as never,
  refusals: ({ open }) => (open ? {} : REFUSALS),
  commonHeaders: (call: Call) => ({
    'content-type': JSON_TYPE,
    'odata-version': '4.0',
    requestid: call.requestId,
    'x-content-type-options': 'nosniff',
  }),
  bodyLimitBytes: LARGEST_REQUEST_BYTES,
  cors: true,
  codes: {
    malformedJson: 'BadRequest',
    invalidBody: 'BadRequest',
    invalidQuery: 'InvalidRequest',
    bodyTooLarge: 'RequestEntityTooLarge',
    unsupportedMediaType: 'UnsupportedMediaType',
    notFound: 'RequestedResourceNotFound',
    methodNotAllowed: 'MethodNotAllowed',
    preconditionFailed: 'PreconditionFailed',
    internal: 'InternalServerError',
    unavailable: 'ServiceUnavailable',
  },
  statusCodes: { 429: 'TooManyRequests', 401: 'PowerBINotAuthorizedException', 404: 'PowerBIEntityNotFound' },
};

/** Every error has its code in a header. A 401 has no body; its reason is in a header, too. */
function renderError(error: ApiError): Answer {
  const { status, code, message } = error;
  const headers = { 'content-type': JSON_TYPE, 'x-powerbi-error-info': headerText(code) };
  if (status === 401) return { status, headers: { ...headers, 'x-powerbi-error-details': headerText(message) } };
  return { status, headers, body: { error: bodyOf(error) } };
}

function bodyOf({ code, message, target, details }: ApiError): object {
  if (code === 'DatasetExecuteQueriesError') return { code, 'pbi.error': engineError(code, message, details) };
  if (code !== 'BadRequest') return { code, message };
  const mistakes = details.length > 0 ? details : [{ message, target }];
  return {
    code,
    message: 'Bad Request',
    details: mistakes.map((each) => ({
      message: each.message,
      ...(each.target !== undefined && { target: each.target }),
    })),
  };
}

/** The query engine repeats the message in its details. */
function engineError(code: string, message: string, details: ApiError['details']): object {
  const all = [{ code: 'DetailsMessage', message }, ...details];
  return {
    code,
    parameters: {},
    details: all.map((each) => ({ code: each.code, detail: { type: 1, value: each.message } })),
    exceptionCulprit: 1,
  };
}

/** Replaces characters that a header must not contain. */
const headerText = (value: string): string => value.replace(/[^\x20-\x7e]/g, '?').slice(0, 1000);
