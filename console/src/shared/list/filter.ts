/** Words of the filter dialect; a text with one of them is an expression, any other text is searched for. */
const EXPRESSION = /\b(eq|ne|gt|ge|lt|le|in|and|or|not)\b|\(/;

/** The text of a filter bar as `$filter`: an OData expression as it is, other text as a search in the named properties. */
export function filterOf(text: string | undefined, properties: readonly string[]): string | undefined {
  const trimmed = text?.trim() ?? '';
  return EXPRESSION.test(trimmed) ? trimmed : searchOf(trimmed, properties);
}

/** A search for a text in the named properties, whatever the text looks like. */
export function searchOf(text: string, properties: readonly string[]): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return properties.map((property) => `contains(${property},${literal(trimmed)})`).join(' or ');
}

/** A text as a literal of the filter dialect. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Both conditions, if there are two. */
export function bothOf(first: string | undefined, second: string | undefined): string | undefined {
  if (first === undefined || first === '') return second;
  return second === undefined || second === '' ? first : `(${first}) and (${second})`;
}
