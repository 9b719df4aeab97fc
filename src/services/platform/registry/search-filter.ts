import { allOf, eq, type Filter, isLike } from '../../../kernel/store/index.ts';
import { errors } from '../errors.ts';
import type { Comparison } from '../tracking/search/language.ts';
import { type ModelVersion, type RegisteredModel, tagMark } from './collections.ts';

/** A search filter in two parts: the filter for the store, and the comparisons that are evaluated on each document found. */
export interface SearchFilter {
  readonly filter: Filter;
  readonly rest: readonly Comparison[];
}

type Searched = RegisteredModel | ModelVersion;

/** The collection fields by attribute of the search language. */
const FIELDS: Readonly<Record<string, string>> = {
  name: 'name',
  version_number: 'number',
  run_id: 'runId',
  source_path: 'source',
};

const SIGNS = { '=': 'eq', '!=': 'ne', '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge' } as const;

/** Matching a longer pattern against the longest possible values would take too long. */
const LONGEST_PATTERN = 500;

export function searchFilter(comparisons: readonly Comparison[]): SearchFilter {
  const parts = comparisons.map(partOf);
  return {
    filter: allOf(...parts.map(({ filter }) => filter)),
    rest: parts.flatMap(({ rest }) => rest ?? []),
  };
}

function partOf(comparison: Comparison): { readonly filter?: Filter; readonly rest?: Comparison } {
  const { entity, key, operator, value } = comparison;
  checkPattern(comparison);
  if (entity === 'tag') {
    const mark = operator === '=' ? tagMark({ key, value: String(value) }) : key;
    return { filter: { op: 'has', field: 'tags', value: mark }, rest: comparison };
  }
  const field = FIELDS[key] ?? key;
  if (operator === 'IN') return { filter: { op: 'in', field, values: value as readonly string[] } };
  if (operator === 'LIKE' || operator === 'ILIKE') {
    const start = operator === 'LIKE' ? fixedStart(String(value)) : '';
    return { ...(start !== '' && { filter: { op: 'startsWith', field, value: start } }), rest: comparison };
  }
  const op = SIGNS[operator as keyof typeof SIGNS];
  const compared = { op, field, value: value as string | number } as Filter;
  // An absent value does not satisfy `!=`.
  return { filter: op === 'ne' ? allOf(compared, { op: 'not', arg: eq(field, null) }) : compared };
}

function checkPattern({ operator, value }: Comparison): void {
  if (operator !== 'LIKE' && operator !== 'ILIKE') return;
  if (String(value).length > LONGEST_PATTERN)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `A pattern has at most ${LONGEST_PATTERN} characters.` });
}

/** The literal prefix of every text that matches the pattern. */
const fixedStart = (pattern: string): string => pattern.slice(0, pattern.search(/[%_]|$/));

/** Returns true if a document found by the store satisfies the rest of the filter. */
export const matches = (document: Searched, rest: readonly Comparison[]): boolean =>
  rest.every((comparison) => holds(comparison, textIn(document, comparison)));

function textIn(document: Searched, { entity, key }: Comparison): string | undefined {
  if (entity === 'tag') return document.tags.find((tag) => tag.key === key)?.value;
  if (key === 'name') return document.name;
  if (!('source' in document)) return undefined;
  return key === 'run_id' ? document.runId : document.source;
}

function holds({ operator, value }: Comparison, actual: string | undefined): boolean {
  if (actual === undefined) return false;
  if (operator === '=') return actual === value;
  if (operator === '!=') return actual !== value;
  return operator === 'ILIKE'
    ? isLike(actual.toLowerCase(), String(value).toLowerCase())
    : isLike(actual, String(value));
}
