import { type Json, jsonMistake, parseJson } from '../../../kernel/values/index.ts';
import { errors } from '../errors.ts';

/** Of JSON that comes as the text of a field; the body that it comes in is bounded anyway. */
const BOUNDS = { depth: 100, names: 200_000, values: 500_000, bytes: 32 * 1024 * 1024 };

/** Parses the text of a field. What is no JSON, or would take long to parse or cannot be written again, is refused. */
export function parsedText(field: string, text: string): Json {
  try {
    return parseJson(Buffer.from(text), BOUNDS) as Json;
  } catch (error) {
    throw errors.INVALID_PARAMETER_VALUE({ reason: jsonMistake(error, `The field '${field}'`) });
  }
}
