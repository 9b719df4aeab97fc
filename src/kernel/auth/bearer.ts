import type { Call } from '../http/route.ts';

/** The token of an `Authorization: Bearer …` header; `undefined` when there is no header, `null` when it is of another scheme. */
export function bearerToken(call: Pick<Call, 'headers'>): string | null | undefined {
  const header = call.headers.authorization;
  if (typeof header !== 'string' || header.trim() === '') return undefined;
  return /^bearer +(\S+) *$/i.exec(header)?.[1] ?? null;
}
