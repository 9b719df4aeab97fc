import { allOf, type Expression, eq, type Filter } from '../../../../kernel/store/index.ts';
import { headOf } from '../collections.ts';
import { ATTRIBUTE, type Comparison, type Operator } from './language.ts';
import { HEAD, NUMBER, type Searchable, TEXT, type ValueColumn, valueSuffix } from './searchable.ts';

/** Compiles the conditions of a filter. A record without the compared value matches only IS NULL, not `!=`. */
export const filterOf = (searchable: Searchable<never>, comparisons: readonly Comparison[]): Filter[] =>
  comparisons.map((comparison) => comparisonFilter(searchable, comparison));

function comparisonFilter(searchable: Searchable<never>, comparison: Comparison): Filter {
  const { entity, key, operator } = comparison;
  const related = searchable.related[entity];
  if (related) {
    const { collection, by, named } = related;
    const link = { op: 'linked', collection, field: by, by: 'key' } as const;
    if (!named) return { ...link, filter: columnFilter(related.fields[key]!, comparison) };
    const isNamed = eq(named.name, key);
    if (operator === 'IS NULL') return { op: 'not', arg: { ...link, filter: isNamed } };
    if (operator === 'IS NOT NULL') return { ...link, filter: isNamed };
    const field = typeof comparison.value === 'number' ? named.number : named.text;
    return { ...link, filter: allOf(isNamed, columnFilter(field, comparison)) };
  }
  if (entity === ATTRIBUTE) {
    const { field, stored } = searchable.attributes[key]!;
    return columnFilter(field, stored ? storedForm(comparison, stored) : comparison);
  }
  const column = searchable.values[entity]!;
  return linkedTo(column, key, operator === 'IS NULL' ? undefined : valueFilter(column, comparison), operator);
}

function storedForm(comparison: Comparison, stored: (value: string) => string): Comparison {
  const { value } = comparison;
  if (typeof value === 'string') return { ...comparison, value: stored(value) };
  return Array.isArray(value) ? { ...comparison, value: value.map(stored) } : comparison;
}

function linkedTo(
  { collection }: ValueColumn<never>,
  name: string,
  filter: Filter | undefined,
  operator?: Operator,
): Filter {
  const link: Filter = {
    op: 'linked',
    collection,
    field: 'key',
    by: 'key',
    suffix: valueSuffix(name),
    ...(filter && { filter }),
  };
  return operator === 'IS NULL' ? { op: 'not', arg: link } : link;
}

/** Matches records without a value of this name. */
export const lacks = (column: ValueColumn<never>, name: string): Filter => linkedTo(column, name, undefined, 'IS NULL');

/** The condition on a value; undefined if the value only has to exist. */
export function valueFilter({ type }: ValueColumn<never>, comparison: Comparison): Filter | undefined {
  const { operator, value } = comparison;
  if (operator === 'IS NULL' || operator === 'IS NOT NULL') return undefined;
  if (type === 'number') return columnFilter(NUMBER, comparison);
  if (operator === '=' && typeof value === 'string') return allOf(eq(HEAD, headOf(value)), eq(TEXT, value));
  return columnFilter(TEXT, comparison);
}

const ORDERED = { '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge' } as const;

function columnFilter(field: string, { operator, value: sent }: Comparison): Filter {
  const there: Filter = { op: 'ne', field, value: null };
  const value = typeof sent === 'number' ? finite(sent) : sent;
  if (typeof value === 'object') {
    const among: Filter = { op: 'in', field, values: value };
    return operator === 'IN' ? among : allOf(there, { op: 'not', arg: among });
  }
  if (value === undefined) return operator === 'IS NULL' ? eq(field, null) : there;
  switch (operator) {
    case '=':
      return eq(field, value);
    case '!=':
      return allOf(there, { op: 'ne', field, value });
    case '<':
    case '<=':
    case '>':
    case '>=':
      return { op: ORDERED[operator], field, value };
    case 'LIKE':
      return likeFilter({ field }, String(value));
    case 'ILIKE':
      return likeFilter({ call: 'tolower', args: [{ field }] }, String(value).toLowerCase());
    default:
      throw new Error(`${operator} does not compare a column with a value`);
  }
}

const likeFilter = (left: Expression, pattern: string): Filter => ({
  op: 'compare',
  operator: 'eq',
  left: { call: 'like', args: [left, { value: pattern }] },
  right: { value: true },
});

/** Columns store infinite values as the largest finite numbers. */
const finite = (value: number): number => Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE);
