import type { Filter } from '../../../kernel/store/index.ts';
import { invalid } from './errors.ts';
import type { AttributePath, FilterValue, Operator, ScimFilter } from './filter.ts';
import { booleanOf, isExact } from './match.ts';
import type { ScimPlace } from './place.ts';

/** A filter in two parts: one that the store evaluates on columns, and one that is evaluated on representations. A match satisfies both. */
export interface SplitFilter {
  readonly stored: Filter | undefined;
  readonly rest: ScimFilter | undefined;
}

export function splitFilter(filter: ScimFilter | undefined, place: ScimPlace): SplitFilter {
  if (!filter) return { stored: undefined, rest: undefined };
  const whole = toStore(filter, place);
  if (whole) return { stored: whole, rest: undefined };
  if (filter.op !== 'and') return { stored: undefined, rest: filter };
  const stored: Filter[] = [];
  const rest: ScimFilter[] = [];
  for (const arg of filter.args) {
    const translated = toStore(arg, place);
    if (translated) stored.push(translated);
    else rest.push(arg);
  }
  return {
    stored: stored.length > 0 ? { op: 'and', args: stored } : undefined,
    rest: { op: 'and', args: rest },
  };
}

/** Undefined if a compared attribute has no column. */
function toStore(filter: ScimFilter, place: ScimPlace): Filter | undefined {
  switch (filter.op) {
    case 'and':
    case 'or': {
      const args = filter.args.map((arg) => toStore(arg, place));
      return args.every((arg) => arg !== undefined) ? { op: filter.op, args } : undefined;
    }
    case 'not': {
      const arg = toStore(filter.arg, place);
      return arg && { op: 'not', arg };
    }
    case 'present':
      return presence(filter.path, place);
    case 'compare':
      return comparison(filter.operator, filter.path, filter.value, place);
    case 'among':
      return { op: 'in', field: 'id', values: [...filter.ids] };
    default:
      return undefined;
  }
}

/** The column of an attribute of principals. */
function columnOf({ attribute, sub }: AttributePath, { kind }: ScimPlace): string | undefined {
  if (sub !== undefined) return undefined;
  switch (attribute) {
    case 'id':
      return 'id';
    case 'displayname':
      return 'display';
    case 'externalid':
      return 'external';
    case 'username':
      return kind === 'user' ? 'login' : undefined;
    case 'applicationid':
      return kind === 'servicePrincipal' ? 'login' : undefined;
    default:
      return undefined;
  }
}

function presence(path: AttributePath, place: ScimPlace): Filter | undefined {
  const field = columnOf(path, place);
  return field ? { op: 'ne', field, value: null } : undefined;
}

const TEXTUAL = { co: 'contains', sw: 'startsWith', ew: 'endsWith' } as const;

function comparison(operator: Operator, path: AttributePath, value: FilterValue, place: ScimPlace): Filter | undefined {
  if (path.attribute === 'active' && path.sub === undefined) return activity(operator, value, place);
  if (value === null) return undefined;
  const text = isExact(path) ? String(value) : String(value).toLowerCase();
  if (isEmails(path) && (operator === 'eq' || operator === 'ne')) {
    const has = { op: 'has', field: 'emails', value: text } as const;
    return operator === 'eq' ? has : { op: 'not', arg: has };
  }
  const field = columnOf(path, place);
  if (field === undefined) return undefined;
  if (operator === 'co' || operator === 'sw' || operator === 'ew') return { op: TEXTUAL[operator], field, value: text };
  return { op: operator, field, value: text };
}

const isEmails = ({ attribute, sub = 'value' }: AttributePath): boolean => attribute === 'emails' && sub === 'value';

/**
 * A principal is active in a workspace if it is active in the account and not deactivated in the workspace. Groups have no such attribute.
 */
function activity(operator: Operator, value: FilterValue, { kind, workspace }: ScimPlace): Filter | undefined {
  if (kind === 'group') return undefined;
  if (operator !== 'eq' && operator !== 'ne')
    throw invalid('invalidFilter', `Booleans can only be compared by 'eq' and 'ne', not by '${operator}'.`);
  const wanted = booleanOf(value);
  if (wanted === undefined) return undefined;
  const isActive: Filter = {
    op: 'and',
    args: [
      { op: 'eq', field: 'active', value: true },
      ...(workspace ? [{ op: 'not', arg: { op: 'has', field: 'inactiveIn', value: workspace.id } } as const] : []),
    ],
  };
  return (operator === 'eq') === wanted ? isActive : { op: 'not', arg: isActive };
}
