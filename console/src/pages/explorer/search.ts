import { bothOf, literal } from '../../shared/list/filter.ts';

const SEARCHED = ['tolower(summary)', 'tolower(path)', 'tolower(id)'];

/** Summaries have the words `or` and `in`, which are no expression here. */
const EXPRESSION = /\b(id|service|method|path|summary|group|described)\s+(eq|ne|gt|ge|lt|le|in)\b|\w\(/;

/** Operations with all the words of a text, in any case; an OData expression as it is. */
export function operationFilter(text: string | undefined, service?: string): string | undefined {
  const own = service === undefined ? undefined : `service eq ${literal(service)}`;
  const typed = text?.trim() ?? '';
  if (EXPRESSION.test(typed)) return bothOf(own, typed);
  return typed
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map(containing)
    .reduce<string | undefined>((all, each) => bothOf(all, each), own);
}

function containing(word: string): string {
  return SEARCHED.map((property) => `contains(${property},${literal(word)})`).join(' or ');
}
