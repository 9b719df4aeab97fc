import { ApiError } from '../../http/errors.ts';
import { joined } from './path.ts';
import type { Place } from './place.ts';

/** Answers list at most this many mistakes: more help nobody, and a body may hold a hundred thousand. */
export const MOST_DETAILS = 50;

/** What the reader itself finds; own rules may use kinds of their own. */
export type MistakeKind = 'type' | 'missing' | 'word' | 'form' | 'range' | 'count' | 'rule';

interface Mistake {
  readonly kind: string;
  /** Only those that are told are put into words. */
  readonly make: () => ApiError;
  readonly place: Place | undefined;
}

/**
 * The order in which mistakes are listed: by kind, then by field (all entries of a list one after another), then by entry. Kinds that
 * are not named are left out.
 */
export interface MistakeOrder {
  readonly kinds: readonly string[];
  /** For a kind, fields that come in another order than they are declared in: what matches the first pattern, then the second, the rest last. */
  readonly fields?: Readonly<Record<string, readonly RegExp[]>>;
}

/** The order of the body, but entries of a list that have the wrong type come before what is wrong inside of others. */
export interface EntriesFirst {
  readonly entriesFirst: true;
}

/** Collects everything that is wrong with a body. */
export class Mistakes {
  readonly #list: Mistake[] = [];
  readonly #perField = new Map<string, Map<string, number>>();
  readonly #fields = new Map<string, Map<string, string>>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** `place` is absent for a rule that is about several fields. */
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

  /** The path of a field, the same text each time: a list of half a million entries would make as many of them. */
  fieldBelow(above: string, part: string): string {
    const known = ofKey(this.#fields, above);
    const field = known.get(part) ?? joined(above, part);
    known.set(part, field);
    return field;
  }

  addAll(kind: string, errors: readonly ApiError[]): void {
    for (const error of errors) this.add(kind, () => error);
  }

  /** The first mistake of a kind in the order of the body. */
  first(kind: string): ApiError | undefined {
    return inDocumentOrder(this.#list.filter((mistake) => mistake.kind === kind))[0]?.make();
  }

  /** Forgets what was found inside of a place, where something else makes it meaningless. */
  forgetBelow(place: Place): void {
    const kept = this.#list.filter((mistake) => !mistake.place?.isBelow(place));
    this.#count -= this.#list.length - kept.length;
    this.#list.splice(0, this.#list.length, ...kept);
  }

  /** The first mistakes, in the order of the body unless another is given. */
  errors(order?: MistakeOrder | EntriesFirst): ApiError[] {
    const sorted = order && 'kinds' in order ? inOrder(this.#list, order) : inDocumentOrder(this.#list, order);
    return sorted.slice(0, MOST_DETAILS).map(({ make }) => make());
  }

  /** The first mistake as the error, all of them in its details. */
  throwAny(order?: MistakeOrder): void {
    throwAll(this.errors(order));
  }
}

/** The first as the error, all of them in its details; nothing where there are none. */
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

/** Rules about several fields come last. */
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

/** What is above comes before what is below it. */
function compare(a: Key, b: Key): number {
  for (const [i, step] of a.entries()) {
    const other = b[i];
    if (other === undefined) return 1;
    if (step !== other) return step < other ? -1 : 1;
  }
  return a.length - b.length;
}
