import type { Call } from '../../kernel/service/index.ts';

/** A parameter of the query by its name in any case; what is given more than once is one text with commas, which no check takes. */
export function queryParameter({ query }: Pick<Call, 'query'>, name: string): string | undefined {
  const exact = query[name];
  if (exact !== undefined) return String(exact);
  const lower = name.toLowerCase();
  for (const given in query) if (given.toLowerCase() === lower) return String(query[given]);
  return undefined;
}

/** A header that says something, by its name in lower case. */
export function headerText({ headers }: Pick<Call, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
