import { allOf, eq, type Filter } from '../../../kernel/store/index.ts';
import { errors } from '../errors.ts';
import { type FilterValue, type Operator, parseFilter, type ScimFilter } from '../scim/filter.ts';
import { type PrincipalKind, principalPlace } from './collections.ts';

/** Filters of assignments, in SCIM syntax: `user_name eq "a@b.c"`, `principal.group_name sw "eng"`. The store evaluates them completely. */

/** Columns of principals by their names in assignments. A name belongs to one kind of principal. */
const COLUMNS: ReadonlyMap<string, { readonly field: string; readonly kind?: PrincipalKind }> = new Map([
  ['principal_id', { field: 'id' }],
  ['display_name', { field: 'display' }],
  ['user_name', { field: 'login', kind: 'user' }],
  ['group_name', { field: 'login', kind: 'group' }],
  ['service_principal_name', { field: 'login', kind: 'servicePrincipal' }],
]);

const OPERATIONS = { eq: 'eq', co: 'contains', sw: 'startsWith', ew: 'endsWith' } as const;

const isServed = (operator: Operator): operator is keyof typeof OPERATIONS => operator in OPERATIONS;

export const assignmentFilter = (text: string, accountId: string): Filter => toStore(parseFilter(text), accountId);

function toStore(filter: ScimFilter, accountId: string): Filter {
  switch (filter.op) {
    case 'and':
    case 'or':
      return { op: filter.op, args: filter.args.map((arg) => toStore(arg, accountId)) };
    case 'not':
      return { op: 'not', arg: toStore(filter.arg, accountId) };
    case 'compare': {
      const { operator, path, value } = filter;
      const name = path.attribute === 'principal' && path.sub !== undefined ? path.sub : path.attribute;
      if (path.sub !== undefined && name === path.attribute) throw unknown(`${name}.${path.sub}`);
      if (operator === 'ne') return { op: 'not', arg: comparison(name, 'eq', value, accountId) };
      return comparison(name, operator, value, accountId);
    }
    default:
      throw errors.INVALID_PARAMETER_VALUE({
        reason: 'A filter of assignments can contain comparisons, and, or and not.',
      });
  }
}

function comparison(name: string, operator: Operator, value: FilterValue, accountId: string): Filter {
  const column = COLUMNS.get(name);
  if (!column) throw unknown(name);
  if (!isServed(operator))
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `Filters of assignments do not support the operator '${operator}'.`,
    });
  const { field, kind } = column;
  const compared: Filter = { op: OPERATIONS[operator], field, value: String(value).toLowerCase() };
  return kind ? allOf(eq('place', principalPlace(accountId, kind)), compared) : compared;
}

const unknown = (name: string) =>
  errors.INVALID_PARAMETER_VALUE({
    reason: `Filters of assignments do not support the attribute '${name.slice(0, 100)}'; use ${[...COLUMNS.keys()].join(', ')}.`,
  });
