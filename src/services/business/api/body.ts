import { isJsonType } from '../../../kernel/http/index.ts';
import { jsonMistake, parseJson } from '../../../kernel/values/index.ts';
import { errors } from '../errors.ts';

export const isJson = (contentType: string | undefined): boolean =>
  contentType === undefined || isJsonType(contentType);

/** Parses the JSON body lazily and once: a request that needs only the bytes, such as a stream, never parses. */
export function jsonReader(bytes: Buffer): () => unknown {
  let read: { readonly value: unknown } | undefined;
  return () => {
    read ??= { value: parse(bytes) };
    return read.value;
  };
}

function parse(bytes: Buffer): unknown {
  try {
    return parseJson(bytes);
  } catch (cause) {
    throw errors.BadRequest({ reason: jsonMistake(cause) }, { cause });
  }
}
