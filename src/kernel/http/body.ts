import type { IncomingHttpHeaders } from 'node:http';
import { jsonMistake, parseJson } from '../values/parse-json.ts';
import { ApiError } from './errors.ts';
import type { ApiFamily } from './family.ts';
import type { Route } from './route.ts';

const JSON_TYPE = /^(application|text)\/([\w.+-]+\+)?json\s*(;|$)/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/** Limit of parameters in a form. */
const MOST_PARAMETERS = 1000;

/** Whether a content type is JSON: `application/json`, `text/json`, `application/cloudevents+json`. */
export const isJsonType = (contentType: string): boolean => JSON_TYPE.test(contentType);

/** Parses the bytes of a request as the route requires; throws an `ApiError` if they are invalid. */
export function readBody(route: Route, family: ApiFamily, bytes: unknown, headers: IncomingHttpHeaders): unknown {
  const { 'content-type': contentType, 'content-encoding': encoding } = headers;
  if (route.accepts === 'stream') return bytes;
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return undefined;
  const accepts = route.accepts ?? 'json';
  if (accepts === 'bytes') return bytes;
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    const message = `The content encoding '${encoding.slice(0, 100)}' is not supported; send the body unencoded.`;
    throw new ApiError(415, family.codes.unsupportedMediaType, message);
  }
  const expected = accepts === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
  const isFree = accepts === 'json' && family.anyContentType === true;
  const isFit = (type: string): boolean => (accepts === 'json' ? isJsonType(type) : FORM_TYPE.test(type));
  if (!isFree && contentType !== undefined && !isFit(contentType)) {
    const message = `The content type '${contentType.slice(0, 100)}' is not supported here; send '${expected}'.`;
    throw new ApiError(415, family.codes.unsupportedMediaType, message);
  }
  if (accepts === 'form') return readForm(bytes, family);
  try {
    return parseJson(bytes, family.json);
  } catch (cause) {
    const reason = jsonMistake(cause);
    throw new ApiError(400, family.codes.malformedJson, family.malformedJson?.(reason) ?? reason, { cause });
  }
}

function readForm(bytes: Buffer, family: ApiFamily): Record<string, string> {
  if (parametersIn(bytes) > MOST_PARAMETERS) {
    const message = `The form has more than ${MOST_PARAMETERS} parameters.`;
    throw new ApiError(400, family.codes.invalidBody, message);
  }
  const form: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(bytes.toString('utf8'))) {
    if (Object.hasOwn(form, name)) {
      throw new ApiError(400, family.codes.invalidBody, `The parameter '${name}' is given more than once.`, {
        target: name,
      });
    }
    form[name] = value;
  }
  return form;
}

function parametersIn(bytes: Buffer): number {
  let count = 1;
  for (const byte of bytes) if (byte === 0x26) count++;
  return count;
}
