import type { Call } from '../../kernel/service/index.ts';

/** A query parameter by its name, ignoring case. A repeated parameter becomes one text with commas, which fails every check. */
export function queryParameter({ query }: Pick<Call, 'query'>, name: string): string | undefined {
  const exact = query[name];
  if (exact !== undefined) return String(exact);
  const lower = name.toLowerCase();
  for (const given in query) if (given.toLowerCase() === lower) return String(query[given]);
  return undefined;
}

/** A non-empty header, by its name in lower case. */
export function headerText({ headers }: Pick<Call, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
