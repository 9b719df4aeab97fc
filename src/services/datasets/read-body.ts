import { ApiError, isJsonType } from '../../kernel/http/index.ts';
import { type JsonBounds, JsonBoundsError, jsonMistake } from '../../kernel/values/index.ts';
import { DATASETS_FAMILY } from './family.ts';
import type { DatasetsCall } from './jar.ts';
import { oneMistake } from './model/mistakes.ts';
import { parseReparsable, type ReparsableJson } from './rows/exact-json.ts';

/**
 * Parses a body that was received as bytes: push bodies have more values than other JSON bodies allow, and numbers that doubles cannot
 * hold. `reason` is appended to the message if a bound is exceeded.
 */
export function jsonOf(
  { body, headers }: Pick<DatasetsCall, 'body' | 'headers'>,
  bounds: Partial<JsonBounds>,
  reason?: string,
): ReparsableJson {
  const { 'content-type': type, 'content-encoding': encoding } = headers;
  if (typeof encoding === 'string' && encoding.toLowerCase() !== 'identity')
    throw unsupported(`The content encoding '${encoding.slice(0, 100)}' is not supported; send the body without one.`);
  if (typeof type === 'string' && !isJsonType(type))
    throw unsupported(`The content type '${type.slice(0, 100)}' is not supported here; send 'application/json'.`);
  if (!Buffer.isBuffer(body)) throw oneMistake('', 'The request has no body, and this operation needs one.');
  try {
    return parseReparsable(body, bounds);
  } catch (cause) {
    const isExplained = cause instanceof JsonBoundsError && reason !== undefined;
    throw oneMistake('', isExplained ? `${jsonMistake(cause)} ${reason}` : jsonMistake(cause));
  }
}

const unsupported = (message: string): ApiError =>
  new ApiError(415, DATASETS_FAMILY.codes.unsupportedMediaType, message);

export const bytesOf = ({ body }: Pick<DatasetsCall, 'body'>): number => (Buffer.isBuffer(body) ? body.length : 0);
