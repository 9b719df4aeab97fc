import { ApiError } from '../../http/errors.ts';
import { joined } from './path.ts';
import type { Place } from './place.ts';

/** Limit of mistakes in a response: more do not help, and a body may contain a hundred thousand. */
export const MOST_DETAILS = 50;

/** Kinds of mistakes that the parser reports; rules of a service may use other kinds. */
export type MistakeKind = 'type' | 'missing' | 'word' | 'form' | 'range' | 'count' | 'rule';

interface Mistake {
  readonly kind: string;
  /** Creates the error only if it is reported. */
  readonly make: () => ApiError;
  readonly place: Place | undefined;
}

/**
 * Order in which mistakes are listed: by kind, then by field (all entries of a list one after another), then by entry. Kinds that are not
 * listed are left out.
 */
export interface MistakeOrder {
  readonly kinds: readonly string[];
  /**
   * By kind: fields whose order differs from their declaration. Fields that match the first pattern come first, then those of the second;
   * the rest comes last.
   */
  readonly fields?: Readonly<Record<string, readonly RegExp[]>>;
}

/** Order of the body, except that list entries of a wrong type come before mistakes inside other entries. */
export interface EntriesFirst {
  readonly entriesFirst: true;
}

/** Collects all mistakes of a body. */
export class Mistakes {
  readonly #list: Mistake[] = [];
  readonly #perField = new Map<string, Map<string, number>>();
  readonly #fields = new Map<string, Map<string, string>>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** `place` is absent for a rule about several fields. */
  add(kind: string, make: () => ApiError, place?: Place): void {
    this.#count += 1;
    if (place) {
      const counts = ofKey(this.#perField, kind);
      const known = counts.get(place.field) ?? 0;
      if (known >= MOST_DETAILS) return;
      counts.set(place.field, known + 1);
    }
    this.#list.push({ kind, make, place });
  }

  /** Path of a field. Paths are shared, because a list of half a million entries would otherwise create one text per entry. */
  fieldBelow(above: string, part: string): string {
    const known = ofKey(this.#fields, above);
    const field = known.get(part) ?? joined(above, part);
    known.set(part, field);
    return field;
  }

  addAll(kind: string, errors: readonly ApiError[]): void {
    for (const error of errors) this.add(kind, () => error);
  }

  /** The first mistake of a kind, in the order of the body. */
  first(kind: string): ApiError | undefined {
    return inDocumentOrder(this.#list.filter((mistake) => mistake.kind === kind))[0]?.make();
  }

  /** Drops mistakes below a place that another mistake makes meaningless. */
  forgetBelow(place: Place): void {
    const kept = this.#list.filter((mistake) => !mistake.place?.isBelow(place));
    this.#count -= this.#list.length - kept.length;
    this.#list.splice(0, this.#list.length, ...kept);
  }

  /** Returns the first mistakes, by default in the order of the body. */
  errors(order?: MistakeOrder | EntriesFirst): ApiError[] {
    const sorted = order && 'kinds' in order ? inOrder(this.#list, order) : inDocumentOrder(this.#list, order);
    return sorted.slice(0, MOST_DETAILS).map(({ make }) => make());
  }

  throwAny(order?: MistakeOrder): void {
    throwAll(this.errors(order));
  }
}

/** Throws the first error with all of them as details; does nothing if there are none. */
export function throwAll(errors: readonly ApiError[]): void {
  const [first] = errors;
  if (!first) return;
  if (errors.length === 1) throw first;
  const details = errors.slice(0, MOST_DETAILS).map(({ code, message, target }) => ({ code, message, target }));
  throw new ApiError(first.status, first.code, first.message, { target: first.target, details });
}

function ofKey<V>(maps: Map<string, Map<string, V>>, key: string): Map<string, V> {
  const known = maps.get(key) ?? new Map<string, V>();
  if (known.size === 0) maps.set(key, known);
  return known;
}

type Key = readonly number[];

/** Mistakes of rules about several fields come last. */
const NOWHERE: Key = [Number.POSITIVE_INFINITY];

function inDocumentOrder(list: readonly Mistake[], order?: EntriesFirst): Mistake[] {
  return sortedBy(list, ({ kind, place }) => {
    const steps = place?.steps().map(({ step }) => step);
    if (!steps) return [NOWHERE];
    const isFirst = order?.entriesFirst && kind === 'type' && place?.isEntry;
    return [isFirst ? [...steps.slice(0, -1), -1, ...steps.slice(-1)] : steps];
  });
}

function inOrder(list: readonly Mistake[], { kinds, fields = {} }: MistakeOrder): Mistake[] {
  const told = list.filter(({ kind }) => kinds.includes(kind));
  return sortedBy(told, ({ kind, place }) => {
    const steps = place?.steps();
    return [
      [kinds.indexOf(kind), place ? rankOf(place.field, fields[kind] ?? []) : 0],
      steps ? steps.map(({ step, isEntry }) => (isEntry ? 0 : step)) : NOWHERE,
      steps ? steps.map(({ step, isEntry }) => (isEntry ? step : 0)) : NOWHERE,
    ];
  });
}

function rankOf(field: string, patterns: readonly RegExp[]): number {
  const found = patterns.findIndex((pattern) => pattern.test(field));
  return found < 0 ? patterns.length : found;
}

function sortedBy(list: readonly Mistake[], keysOf: (mistake: Mistake) => readonly Key[]): Mistake[] {
  const keyed = list.map((mistake) => ({ mistake, keys: keysOf(mistake) }));
  keyed.sort((a, b) => {
    for (const [i, key] of a.keys.entries()) {
      const difference = compare(key, b.keys[i] ?? []);
      if (difference !== 0) return difference;
    }
    return 0;
  });
  return keyed.map(({ mistake }) => mistake);
}

/** A path sorts before the paths below it. */
function compare(a: Key, b: Key): number {
  for (const [i, step] of a.entries()) {
    const other = b[i];
    if (other === undefined) return 1;
    if (step !== other) return step < other ? -1 : 1;
  }
  return a.length - b.length;
}
