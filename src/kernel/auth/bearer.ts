const SCHEME = 'bearer ';

interface WithHeaders {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The token of an `Authorization: Bearer …` header; `undefined` when there is no header, `null` when it is of another scheme. */
export function bearerToken(call: WithHeaders): string | null | undefined {
  const header = call.headers.authorization;
  if (typeof header !== 'string' || header.trim() === '') return undefined;
  // By hand, as a pattern would look at every character of a token that is a kilobyte long.
  if (header.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return null;
  const token = header.slice(SCHEME.length).trim();
  return token === '' || token.includes(' ') || token.includes('\t') ? null : token;
}
