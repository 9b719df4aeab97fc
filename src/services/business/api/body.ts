import { isJsonType } from '../../../kernel/http/index.ts';
import { errors } from '../errors.ts';

export const isJson = (contentType: string | undefined): boolean =>
  contentType === undefined || isJsonType(contentType);

/** Reads JSON when somebody first asks for it, and once: whoever wants the bytes as they came, a stream, does not care. */
export function jsonReader(bytes: Buffer): () => unknown {
  let read: { readonly value: unknown } | undefined;
  return () => {
    read ??= { value: parse(bytes) };
    return read.value;
  };
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.slice(0, 200) : 'it cannot be read';
    throw errors.BadRequest({ reason: `The request body is not valid JSON: ${reason}.` }, { cause });
  }
}
