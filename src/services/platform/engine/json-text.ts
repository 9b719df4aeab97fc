import { type Json, jsonMistake, parseJson } from '../../../kernel/values/index.ts';
import { errors } from '../errors.ts';

/** Limits for JSON in a text field; the size of the body is limited separately. */
const BOUNDS = { depth: 100, names: 200_000, values: 500_000, bytes: 32 * 1024 * 1024 };

/** Parses JSON in a text field. Throws if it is invalid, would take long to parse, or cannot be serialised again. */
export function parsedText(field: string, text: string): Json {
  try {
    return parseJson(Buffer.from(text), BOUNDS) as Json;
  } catch (error) {
    throw errors.INVALID_PARAMETER_VALUE({ reason: jsonMistake(error, `The field '${field}'`) });
  }
}
