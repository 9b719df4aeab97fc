const TIME = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(z|[+-]\d{2}:\d{2})?)?$/i;
const DATE_LENGTH = 'yyyy-mm-dd'.length;

/** Milliseconds of a time as clients write it, NaN where it is none. One without a zone is UTC, as the names of such fields say. */
export function timeOf(text: string): number {
  const match = TIME.exec(text);
  if (!match) return Number.NaN;
  const isLocal = match[1] === undefined && text.length > DATE_LENGTH;
  return Date.parse(isLocal ? `${text.replace(' ', 'T')}Z` : text.replace(' ', 'T'));
}
