import { callFunction, compareScalars } from '../../../../src/kernel/store/functions.ts';
import type { Expression, Filter, Order, Scalar } from '../../../../src/kernel/store/types.ts';
import type { Thing } from './engines.ts';

/** The contract implemented in plain code on documents in memory. */
export function matches(filter: Filter, thing: Thing): boolean {
  switch (filter.op) {
    case 'and':
      return filter.args.every((arg) => matches(arg, thing));
    case 'or':
      return filter.args.some((arg) => matches(arg, thing));
    case 'not':
      return !matches(filter.arg, thing);
    case 'has':
      return (thing.tags ?? []).includes(filter.value);
    case 'hasAny':
      return filter.values.some((value) => (thing.tags ?? []).includes(value));
    case 'among':
      return filter.values.includes(computed(filter.left, thing) as Scalar);
    case 'compare': {
      const [left, right] = [computed(filter.left, thing), computed(filter.right, thing)];
      if (filter.operator === 'eq') return left === right;
      if (filter.operator === 'ne') return left !== right;
      if (left === null || right === null) return false;
      const order = compareScalars(left, right);
      return { lt: order < 0, le: order <= 0, gt: order > 0, ge: order >= 0 }[filter.operator];
    }
    case 'linked':
      throw new Error('things are linked to nothing');
    case 'matches':
      throw new Error('things have no full text');
    case 'eq':
      return fieldOf(thing, filter.field) === filter.value;
    case 'ne':
      return fieldOf(thing, filter.field) !== filter.value;
    case 'in':
      return filter.values.includes(fieldOf(thing, filter.field) as Scalar);
    case 'startsWith':
    case 'endsWith': {
      const value = fieldOf(thing, filter.field);
      return typeof value === 'string' && value[filter.op](filter.value);
    }
    case 'contains': {
      const value = fieldOf(thing, filter.field);
      return typeof value === 'string' && value.includes(filter.value);
    }
    default: {
      const value = fieldOf(thing, filter.field);
      if (value === null) return false;
      const order = compare(value, filter.value);
      return { lt: order < 0, le: order <= 0, gt: order > 0, ge: order >= 0 }[filter.op];
    }
  }
}

export function sorted(things: ReadonlyMap<string, Thing>, order: readonly Order[]): string[] {
  const keyDirection = order.at(-1)?.descending ? -1 : 1;
  return [...things.keys()].sort((a, b) => {
    for (const { field, descending } of order) {
      const difference = compare(fieldOf(things.get(a)!, field), fieldOf(things.get(b)!, field));
      if (difference !== 0) return descending ? -difference : difference;
    }
    return compare(a, b) * keyDirection;
  });
}

function computed(expression: Expression, thing: Thing): Scalar | null {
  if ('field' in expression) return fieldOf(thing, expression.field);
  if ('value' in expression) return expression.value;
  return callFunction(
    expression.call,
    expression.args.map((arg) => computed(arg, thing)),
  );
}

function fieldOf(thing: Thing, field: string): Scalar | null {
  return { name: thing.name ?? null, size: thing.size ?? null, on: thing.on ?? null }[field] ?? null;
}

/** Absent values first, texts by their bytes, numbers and booleans by their value. */
function compare(a: Scalar | null, b: Scalar | null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}
