const SCHEME = 'bearer ';

interface WithHeaders {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The token of an `Authorization: Bearer …` header; `undefined` if there is no header, `null` if it has another scheme or is malformed. */
export function bearerToken(call: WithHeaders): string | null | undefined {
  const header = call.headers.authorization;
  if (typeof header !== 'string' || header.trim() === '') return undefined;
  // Without a regular expression, which would scan every character of a token of a kilobyte.
  if (header.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return null;
  const token = header.slice(SCHEME.length).trim();
  return token === '' || token.includes(' ') || token.includes('\t') ? null : token;
}
