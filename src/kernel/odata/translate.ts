import type { Comparator, Expression, Filter, Scalar } from '../store/types.ts';
import type { Constant, Predicate, ResolvedProperty, Value } from './bound.ts';
import { HEAVIEST, weightOf } from './weight.ts';

const FLIPPED = { eq: 'eq', ne: 'ne', lt: 'gt', le: 'ge', gt: 'lt', ge: 'le' } as const;
const TEXT_TESTS = { startswith: 'startsWith', endswith: 'endsWith', contains: 'contains' } as const;

const LONGEST_UNSORTED = 20;

/** A filter split into two parts that are combined by AND: one for the store, and one evaluated on each document found. */
export interface Translation {
  readonly filter: Filter | undefined;
  readonly residual: Predicate | undefined;
  /** True if the residual exists only because the store would take too long. */
  readonly heavy: boolean;
}

/**
 * In a conjunction, conditions that the store cannot answer do not keep it from answering the others by an index. Conditions that it could
 * answer, but slowly for each document, are also left to memory, where evaluation is bounded and yields to the event loop.
 */
export function translate(predicate: Predicate): Translation {
  const parts = predicate.kind === 'junction' && predicate.operator === 'and' ? predicate.args : [predicate];
  const filters: Filter[] = [];
  const rest: Predicate[] = [];
  let heavy = true;
  let spare = HEAVIEST;
  for (const part of parts) {
    const filter = toFilter(part);
    const weight = filter ? weightOf(filter) : 0;
    if (filter && weight <= spare) {
      filters.push(filter);
      spare -= weight;
    } else {
      rest.push(part);
      heavy &&= filter !== undefined;
    }
  }
  return {
    heavy: heavy && rest.length > 0,
    filter: filters.length <= 1 ? filters[0] : { op: 'and', args: distinct(filters) },
    residual: rest.length <= 1 ? rest[0] : { kind: 'junction', operator: 'and', args: rest },
  };
}

/** Returns undefined if the store cannot answer. */
function toFilter(predicate: Predicate): Filter | undefined {
  switch (predicate.kind) {
    case 'always':
      return { op: predicate.value ? 'and' : 'or', args: [] };
    case 'junction': {
      const args: Filter[] = [];
      for (const arg of predicate.args) {
        const filter = toFilter(arg);
        if (!filter) return undefined;
        args.push(filter);
      }
      return { op: predicate.operator, args: distinct(predicate.operator === 'or' ? merged(args) : args) };
    }
    case 'not': {
      const arg = toFilter(predicate.arg);
      return arg && { op: 'not', arg };
    }
    case 'compare':
      return comparison(predicate.operator, predicate.left, predicate.right);
    case 'in':
      return inList(predicate);
    case 'lambda':
      return predicate.operator === 'any' && predicate.body
        ? setTest(predicate.property, predicate.slot, predicate.body)
        : undefined;
  }
}

/** Removes duplicates, which cost the database time. Only generated filters are long enough to be worth checking. */
function distinct(args: readonly Filter[]): readonly Filter[] {
  if (args.length <= LONGEST_UNSORTED) return args;
  return [...new Map(args.map((arg) => [JSON.stringify(arg), arg])).values()];
}

/** Merges `id eq 1 or id eq 2 or …` into one lookup of many values, and likewise a chain of `any` over one set. */
function merged(args: readonly Filter[]): Filter[] {
  const equals = new Map<string, Scalar[]>();
  const members = new Map<string, string[]>();
  const rest: Filter[] = [];
  for (const arg of args) {
    if (arg.op === 'eq' && arg.value !== null) append(equals, arg.field, [arg.value]);
    else if (arg.op === 'has') append(members, arg.field, [arg.value]);
    else if (arg.op === 'hasAny') append(members, arg.field, arg.values);
    else rest.push(arg);
  }
  const searches = [...equals].map(([field, values]): Filter => {
    return values.length === 1 ? { op: 'eq', field, value: values[0]! } : { op: 'in', field, values };
  });
  return [...searches, ...[...members].map(([field, values]) => hasAny(field, values)), ...rest];
}

function append<V>(lists: Map<string, V[]>, field: string, values: readonly V[]): void {
  const known = lists.get(field);
  if (known) known.push(...values);
  else lists.set(field, [...values]);
}

const hasAny = (field: string, values: readonly string[]): Filter =>
  values.length === 1 ? { op: 'has', field, value: values[0]! } : { op: 'hasAny', field, values };

function comparison(operator: Comparator, left: Value, right: Value): Filter | undefined {
  if (left.kind === 'constant') return comparison(FLIPPED[operator], right, left);
  const field = fieldOf(left);
  if (field !== undefined && right.kind === 'constant') {
    if (operator === 'eq' || operator === 'ne') return { op: operator, field, value: right.value };
    return right.value === null ? { op: 'or', args: [] } : { op: operator, field, value: right.value };
  }
  const test = operator === 'eq' && right.kind === 'constant' && right.value === true ? textTest(left) : undefined;
  if (test) return test;
  const [a, b] = [toExpression(left), toExpression(right)];
  return a && b && { op: 'compare', operator, left: a, right: b };
}

/** Translates `startswith(name, 'x')` of a field and a constant to the store's own operator. */
function textTest(value: Value): Filter | undefined {
  if (value.kind !== 'call' || !(value.name in TEXT_TESTS)) return undefined;
  const [text, part] = value.args as readonly [Value, Value];
  const field = fieldOf(text);
  if (field === undefined || part.kind !== 'constant') return undefined;
  return { op: TEXT_TESTS[value.name as keyof typeof TEXT_TESTS], field, value: String(part.value) };
}

function inList({ operand, values, absent }: Extract<Predicate, { kind: 'in' }>): Filter | undefined {
  const field = fieldOf(operand);
  if (field !== undefined) {
    const among: Filter = { op: 'in', field, values };
    return absent ? { op: 'or', args: [{ op: 'eq', field, value: null }, among] } : among;
  }
  const left = toExpression(operand);
  if (!left) return undefined;
  const among: Filter = { op: 'among', left, values };
  return absent ? { op: 'or', args: [{ op: 'compare', operator: 'eq', left, right: { value: null } }, among] } : among;
}

function toExpression(value: Value): Expression | undefined {
  if (value.kind === 'constant') return { value: value.value };
  if (value.kind === 'count') return undefined;
  if (value.kind === 'property') {
    const field = fieldOf(value);
    return field === undefined ? undefined : { field };
  }
  const args: Expression[] = [];
  for (const arg of value.args) {
    const expression = toExpression(arg);
    if (!expression) return undefined;
    args.push(expression);
  }
  return { call: value.name, args };
}

function fieldOf(value: Value): string | undefined {
  return value.kind === 'property' && value.property.slot < 0 ? value.property.shape.field : undefined;
}

/** Translates `any` over a collection stored as a set of its values, or of entries that combine several members. */
function setTest(property: ResolvedProperty, slot: number, body: Predicate): Filter | undefined {
  const { field, entry } = property.shape;
  if (field === undefined || property.slot >= 0) return undefined;
  if (body.kind === 'junction' && body.operator === 'or') {
    const args: Filter[] = [];
    for (const arg of body.args) {
      const test = setTest(property, slot, arg);
      if (!test) return undefined;
      args.push(test);
    }
    return { op: 'or', args: merged(args) };
  }
  const wanted = equalities(body, slot);
  if (!wanted) return undefined;
  const own = wanted.size === 1 ? wanted.get('') : undefined;
  if (own !== undefined) return hasAny(field, own);
  if (!entry || wanted.has('')) return undefined;
  const single = [...wanted].map(([name, values]) => [name, values.length === 1 ? values[0]! : undefined] as const);
  if (single.some(([, value]) => value === undefined)) return undefined;
  const value = entry(Object.fromEntries(single) as Record<string, string>);
  return value === undefined ? undefined : { op: 'has', field, value };
}

/** The values required of the element itself (under '') or of its members; undefined if the body contains anything but equalities. */
function equalities(body: Predicate, slot: number): Map<string, readonly string[]> | undefined {
  const found = new Map<string, readonly string[]>();
  for (const part of body.kind === 'junction' && body.operator === 'and' ? body.args : [body]) {
    const equality = equalityOf(part);
    if (!equality || equality.property.slot !== slot) return undefined;
    const { property, values } = equality;
    const name = property.steps.map((step) => step.name).join('/');
    if (found.has(name) || !values.every((value) => typeof value === 'string')) return undefined;
    found.set(name, values as string[]);
  }
  return found;
}

function equalityOf(part: Predicate): { property: ResolvedProperty; values: readonly Scalar[] } | undefined {
  if (part.kind === 'in' && !part.absent && part.operand.kind === 'property')
    return { property: part.operand.property, values: part.values };
  if (part.kind !== 'compare' || part.operator !== 'eq') return undefined;
  const [property, constant] = part.left.kind === 'constant' ? [part.right, part.left] : [part.left, part.right];
  if (property.kind !== 'property' || constant.kind !== 'constant') return undefined;
  const { value } = constant as Constant;
  return value === null ? undefined : { property: property.property, values: [value] };
}
