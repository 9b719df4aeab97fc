import { callFunction, compareScalars } from '../store/functions.ts';
import type { Collection, Comparator, Scalar } from '../store/types.ts';
import { columnValue, setValues, storable } from '../store/values.ts';
import type { Predicate, ResolvedProperty, Value } from './bound.ts';
import type { Kind } from './calls.ts';
import { ODataError } from './errors.ts';
import { parseDate, parseDuration, parseInstant, parseTime } from './literals.ts';
import { kindOf } from './shape.ts';

/** Step limit of one evaluator for all documents together: about a second. */
const MOST_STEPS = 20_000_000;
/** Steps per function call, which may create a date or a text. */
const CALL_STEPS = 5;
/** Characters that a function processes in one step. */
const TEXT_STEP = 256;
/** Maximum length of a computed text, in characters. */
const LONGEST_TEXT = 10_000_000;
/** Longer lists of values are searched by hash. */
const LONGEST_SEARCHED = 10;

/** Evaluates in memory what the store would evaluate in SQL, with the same values and the same rules. */
export class Evaluator<T> {
  readonly #collection: Collection<T>;
  readonly #lists = new Map<readonly Scalar[], ReadonlySet<Scalar>>();
  #steps = 0;

  constructor(collection: Collection<T>) {
    this.#collection = collection;
  }

  /** The steps so far; callers use it to yield to the event loop. */
  get steps(): number {
    return this.#steps;
  }

  matches(predicate: Predicate, document: T): boolean {
    return this.#test(predicate, document, []);
  }

  valueOf(value: Value, document: T): Scalar | null {
    return this.#value(value, document, []);
  }

  /** `items` are the current elements of the enclosing lambdas. */
  #test(predicate: Predicate, document: T, items: readonly unknown[]): boolean {
    this.#step();
    switch (predicate.kind) {
      case 'always':
        return predicate.value;
      case 'junction':
        return predicate.operator === 'and'
          ? predicate.args.every((arg) => this.#test(arg, document, items))
          : predicate.args.some((arg) => this.#test(arg, document, items));
      case 'not':
        return !this.#test(predicate.arg, document, items);
      case 'compare':
        return compareValues(
          predicate.operator,
          this.#value(predicate.left, document, items),
          this.#value(predicate.right, document, items),
        );
      case 'in': {
        const value = this.#value(predicate.operand, document, items);
        return value === null ? predicate.absent : this.#isIn(predicate.values, value);
      }
      case 'lambda': {
        const { body, operator, slot } = predicate;
        const elements = this.#elements(predicate.property, document, items);
        if (!body) return elements.length > 0;
        const outer = items.slice(0, slot);
        const test = (element: unknown) => this.#test(body, document, [...outer, element]);
        return operator === 'any' ? elements.some(test) : elements.every(test);
      }
    }
  }

  #isIn(values: readonly Scalar[], value: Scalar): boolean {
    if (values.length <= LONGEST_SEARCHED) return values.includes(value);
    let known = this.#lists.get(values);
    if (!known) {
      known = new Set(values);
      this.#lists.set(values, known);
    }
    return known.has(value);
  }

  #step(count = 1): void {
    this.#steps += count;
    if (this.#steps > MOST_STEPS)
      throw new ODataError('TooComplex', '$filter', "the '$filter' would take too long on these documents");
  }

  #value(value: Value, document: T, items: readonly unknown[]): Scalar | null {
    this.#step();
    switch (value.kind) {
      case 'constant':
        return value.value;
      case 'property':
        return this.#scalar(value.property, document, items);
      case 'count':
        return this.#elements(value.property, document, items).length;
      case 'call': {
        const args = value.args.map((arg) => this.#value(arg, document, items));
        this.#step(CALL_STEPS);
        for (const arg of args) if (typeof arg === 'string') this.#step(Math.floor(arg.length / TEXT_STEP));
        if (value.name === 'concat') checkLength(args);
        return callFunction(value.name, args);
      }
    }
  }

  #scalar(property: ResolvedProperty, document: T, items: readonly unknown[]): Scalar | null {
    const { shape, slot } = property;
    const field = slot < 0 && shape.field !== undefined ? this.#collection.fields[shape.field] : undefined;
    if (field) return columnValue(field, document);
    const scalar = toScalar(kindOf(shape) as Kind, walk(property, document, items));
    return shape.ignoreCase && typeof scalar === 'string' ? scalar.toLowerCase() : scalar;
  }

  #elements(property: ResolvedProperty, document: T, items: readonly unknown[]): readonly unknown[] {
    const { shape, slot } = property;
    const field =
      slot < 0 && shape.field !== undefined && !shape.entry ? this.#collection.fields[shape.field] : undefined;
    if (field) return setValues(field, document);
    const found = walk(property, document, items);
    return Array.isArray(found) ? found : [];
  }
}

function checkLength(parts: readonly (Scalar | null)[]): void {
  const length = parts.reduce<number>((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
  if (length > LONGEST_TEXT)
    throw new ODataError(
      'TooComplex',
      '$filter',
      `the '$filter' computes a text of more than ${LONGEST_TEXT} characters`,
    );
}

function walk({ slot, steps }: ResolvedProperty, document: unknown, items: readonly unknown[]): unknown {
  let at = slot < 0 ? document : items[slot];
  for (const { name, read } of steps) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = read ? read(at as never) : Object.hasOwn(at, name) ? (at as Record<string, unknown>)[name] : undefined;
  }
  return at;
}

/** Converts a member of a document to the value that the store would keep. */
function toScalar(kind: Kind, value: unknown): Scalar | null {
  switch (kind) {
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : null;
    case 'instant':
    case 'duration': {
      if (typeof value === 'number') return Number.isFinite(value) ? value : null;
      if (typeof value !== 'string') return null;
      return (kind === 'instant' ? parseInstant(value) : parseDuration(value)) ?? null;
    }
    default: {
      if (typeof value !== 'string') return null;
      if (kind === 'guid') return storable(value).toLowerCase();
      if (kind === 'date') return parseDate(value) ?? null;
      return kind === 'time' ? (parseTime(value) ?? null) : storable(value);
    }
  }
}

/** Two absent values are equal. Any other comparison with an absent value is false, and `ne` is the negation of `eq`. */
export function compareValues(operator: Comparator, left: Scalar | null, right: Scalar | null): boolean {
  if (operator === 'eq') return left === right;
  if (operator === 'ne') return left !== right;
  if (left === null || right === null) return false;
  const order = compareScalars(left, right);
  switch (operator) {
    case 'lt':
      return order < 0;
    case 'le':
      return order <= 0;
    case 'gt':
      return order > 0;
    case 'ge':
      return order >= 0;
  }
}
