import type { Json } from '../../../kernel/store/index.ts';
import { compareScalars } from '../../../kernel/store/index.ts';
import { isList, isObject, type JsonMembers } from '../../../kernel/values/index.ts';
import { invalid } from './errors.ts';
import type { AttributePath, FilterValue, Operator, ScimFilter } from './filter.ts';

/** Returns true if the representation of a resource satisfies a filter. Equivalent to `toStore` for filters that it can translate. */
export function matches(filter: ScimFilter, resource: JsonMembers): boolean {
  switch (filter.op) {
    case 'and':
      return filter.args.every((arg) => matches(arg, resource));
    case 'or':
      return filter.args.some((arg) => matches(arg, resource));
    case 'not':
      return !matches(filter.arg, resource);
    case 'present':
      return valuesAt(resource, filter.path).length > 0;
    case 'among':
      return filter.ids.has(String(resource.id));
    case 'some':
      return itemsOf(member(resource, filter.attribute)).some(
        (item) => isMembers(item) && matches(filter.filter, item),
      );
    case 'compare': {
      const { operator, path, value } = filter;
      const values = valuesAt(resource, path);
      if (value === null) return comparesAbsent(operator) === (values.length === 0);
      // Always the negation of `eq`, also with several values or none.
      if (operator === 'ne') return !values.some((each) => holds('eq', each, value, path));
      return values.some((each) => holds(operator, each, value, path));
    }
  }
}

function comparesAbsent(operator: Operator): boolean {
  if (operator === 'eq') return true;
  if (operator === 'ne') return false;
  throw invalid('invalidFilter', `The operator '${operator}' cannot compare with null.`);
}

const isMembers = (value: Json | undefined): value is JsonMembers => isObject(value);

/** Finds a member by its name in any case. */
export function member(resource: JsonMembers, name: string): Json | undefined {
  const found = resource[name];
  if (found !== undefined) return found;
  const lower = name.toLowerCase();
  for (const key of Object.keys(resource)) if (key.toLowerCase() === lower) return resource[key];
  return undefined;
}

const itemsOf = (value: Json | undefined): readonly Json[] =>
  value === undefined || value === null ? [] : isList(value) ? value : [value];

/** For a multi-valued attribute with objects, the default sub-attribute is `value`. */
function valuesAt(resource: JsonMembers, { attribute, sub }: AttributePath): readonly Json[] {
  return itemsOf(member(resource, attribute)).flatMap((item) => {
    const value = isMembers(item) ? member(item, sub ?? 'value') : sub === undefined ? item : undefined;
    return value === undefined || value === null || value === '' ? [] : [value];
  });
}

/** Case-sensitive attributes. */
const EXACT: ReadonlySet<string> = new Set(['externalid', 'id']);

export const isExact = ({ attribute }: AttributePath): boolean => EXACT.has(attribute);

function holds(operator: Operator, held: Json, wanted: Exclude<FilterValue, null>, path: AttributePath): boolean {
  if (typeof held === 'boolean') return holdsBoolean(operator, held, wanted);
  const fold = (text: string): string => (isExact(path) ? text : text.toLowerCase());
  const left = fold(String(held));
  const right = fold(String(wanted));
  switch (operator) {
    case 'eq':
      return left === right;
    case 'co':
      return left.includes(right);
    case 'sw':
      return left.startsWith(right);
    case 'ew':
      return left.endsWith(right);
    case 'gt':
      return compareScalars(left, right) > 0;
    case 'ge':
      return compareScalars(left, right) >= 0;
    case 'lt':
      return compareScalars(left, right) < 0;
    case 'le':
      return compareScalars(left, right) <= 0;
    default:
      return left !== right;
  }
}

export function booleanOf(wanted: FilterValue): boolean | undefined {
  const text = String(wanted).toLowerCase();
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

function holdsBoolean(operator: Operator, held: boolean, wanted: FilterValue): boolean {
  if (operator !== 'eq')
    throw invalid('invalidFilter', `Booleans can only be compared by 'eq' and 'ne', not by '${operator}'.`);
  return held === booleanOf(wanted);
}
