import { ApiError, errorTable } from '../../kernel/http/index.ts';

/**
 * All errors of the translator. The six digits of a code are the status and a number within it. The real service has further codes, for
 * operations that the jar does not offer.
 */
export const numbered = errorTable({
  InvalidInput: [400000, '{reason}'],
  InvalidScope: [400001, "The scope '{scope}' is not one of {known}."],
  InvalidLanguage: [400003, "The language '{language}' is not one that this service knows."],
  ScriptNotOfLanguage: [400006, "The language '{language}' is not written in the script '{script}'."],
  InvalidElement: [400020, 'The element {index} of the array is not valid: {reason}.'],
  InvalidVersion: [400021, "The query parameter 'api-version' {reason}; its value must be 3.0."],
  InvalidTraceId: [400043, "The client trace id '{id}' is not a GUID."],
  TextTooLong: [
    400050,
    'The text of the element {index} has {characters} characters, and at most {maximum} are allowed.',
  ],
  TooManyElements: [400072, 'The array has {count} elements, and at most {maximum} are allowed.'],
  InvalidScript: [400073, "The script '{script}' is not one that this service knows."],
  InvalidJson: [400074, 'The request body is not valid JSON: {reason}.'],
  RequestTooLong: [
    400077,
    'The texts of the request have {characters} characters together, and at most {maximum} are allowed.',
  ],
  Unauthorized: [401000, 'The request is not authorized because credentials are missing or invalid: {reason}.'],
  WrongKey: [401001, 'The request is not authorized because credentials are missing or invalid: {reason}.'],
  SpeechKey: [401015, "The credentials are for the speech API: the key '{name}' is not one of a translator."],
  NotOffered: [403000, 'The operation is not allowed: {reason}.'],
  AllowanceUsedUp: [
    403001,
    "The free characters of the key '{name}' in {month} are used up: {used} of {maximum}, and this request has {characters}.",
  ],
  InvalidContentType: [415000, '{reason}'],
  TooManyCharacters: [
    429001,
    "The key '{name}' sends more than its limit of {maximum} characters in {window}; {advice}.",
  ],
});

export const errors = renumbered(numbered);

/** Derives the status from the code. */
function renumbered<T extends Record<string, (...args: never[]) => ApiError>>(rows: T): T {
  const throwers = Object.entries(rows).map(([name, make]) => {
    const thrower = (...args: never[]): ApiError => {
      const { status: code, message, target, headers, cause } = make(...args);
      const options = { ...(target !== undefined && { target }), headers, cause };
      return new ApiError(statusOf(code), String(code), message, options);
    };
    return [name, thrower] as const;
  });
  return Object.fromEntries(throwers) as T;
}

export const statusOf = (code: number): number => Math.floor(code / 1000);
