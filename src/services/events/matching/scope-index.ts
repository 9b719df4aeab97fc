import type { GridEvent } from '../event.ts';
import { Affixes } from './affixes.ts';
import { type Anchor, anchorsOf } from './anchors.ts';
import type { Equal } from './comparisons.ts';
import type { CompiledFilter } from './compile.ts';
import { EventView, type Found } from './event-view.ts';
import { tokensOf } from './keys.ts';
import type { Spelling } from './spelling.ts';

/** From this number of places on, the index first looks up which places the event has. */
const MANY_PLACES = 32;

interface Entry<T> {
  readonly compiled: CompiledFilter;
  readonly anchors: readonly Anchor[];
  readonly item: T;
  readonly ordinal: number;
  /** The last look-up that visited the entry: one event may lead to it in several ways. */
  seenIn: number;
}

/**
 * An index over many filters. An event is compared only with filters that may match it: by its type, then by the most selective condition
 * of each filter (a value to equal, or the prefix or suffix of a text). The filters themselves decide. A filter without such a condition is
 * always checked.
 */
export class FilterIndex<T> {
  readonly #spelling: Spelling;
  readonly #byType = new Map<string, Branch<T>>();
  readonly #ofAllTypes: Branch<T>;
  #lookup = 0;

  constructor(filters: readonly { readonly compiled: CompiledFilter; readonly item: T }[], spelling: Spelling) {
    this.#spelling = spelling;
    const ofAllTypes: Entry<T>[] = [];
    const byType = new Map<string, Set<Entry<T>>>();
    for (const [ordinal, { compiled, item }] of filters.entries()) {
      const { filter } = compiled;
      const entry = { compiled, anchors: anchorsOf(filter, spelling), item, ordinal, seenIn: 0 };
      if (!filter.includedEventTypes) ofAllTypes.push(entry);
      for (const type of filter.includedEventTypes?.flatMap(spelling.forms) ?? []) {
        const entries = byType.get(type);
        if (entries) entries.add(entry);
        else byType.set(type, new Set([entry]));
      }
    }
    this.#ofAllTypes = new Branch(ofAllTypes);
    for (const [type, entries] of byType) this.#byType.set(type, new Branch([...entries]));
  }

  /** In the order of the filters given. */
  matching(event: GridEvent): T[] {
    const view = new EventView(event, this.#spelling);
    const lookup = ++this.#lookup;
    const matches: Entry<T>[] = [];
    const visitor = (entry: Entry<T>): void => {
      if (entry.seenIn === lookup) return;
      entry.seenIn = lookup;
      if (entry.compiled.accepts(view)) matches.push(entry);
    };
    for (const type of view.type.forms) this.#byType.get(type)?.visit(view, visitor);
    this.#ofAllTypes.visit(view, visitor);
    return matches.sort((a, b) => a.ordinal - b.ordinal).map(({ item }) => item);
  }
}

type Visitor<T> = (entry: Entry<T>) => void;

/** The filters for one event type. */
class Branch<T> {
  readonly #places = new Map<string, Place<T>>();
  readonly #byToken = new Map<string, Place<T>[]>();
  /** Places that every event has. */
  readonly #always: Place<T>[] = [];
  readonly #others: Entry<T>[] = [];

  constructor(entries: readonly Entry<T>[]) {
    const frequencies = frequenciesOf(entries);
    for (const entry of entries) {
      const anchor = best(entry.anchors, frequencies);
      if (anchor) this.#place(anchor).add(anchor, entry);
      else this.#others.push(entry);
    }
  }

  visit(view: EventView, visitor: Visitor<T>): void {
    this.#others.forEach(visitor);
    if (this.#places.size < MANY_PLACES) {
      for (const place of this.#places.values()) place.visit(view, visitor);
      return;
    }
    for (const place of this.#always) place.visit(view, visitor);
    for (const token of tokensOf(view)) {
      for (const place of this.#byToken.get(token) ?? []) place.visit(view, visitor);
    }
  }

  #place(anchor: Anchor): Place<T> {
    const known = this.#places.get(anchor.place);
    if (known) return known;
    const place = new Place<T>(anchor.of);
    this.#places.set(anchor.place, place);
    const siblings = anchor.token === undefined ? this.#always : this.#byToken.get(anchor.token);
    if (siblings) siblings.push(place);
    else this.#byToken.set(anchor.token!, [place]);
    return place;
  }
}

/** The filters that have a condition on one place of an event. */
class Place<T> {
  readonly #of: (view: EventView) => Found;
  readonly #equals = new Map<Equal, Entry<T>[]>();
  readonly #affixes = { begins: new Affixes<Entry<T>>('begins'), ends: new Affixes<Entry<T>>('ends') };

  constructor(of: (view: EventView) => Found) {
    this.#of = of;
  }

  add({ comparison, operands }: Anchor, entry: Entry<T>): void {
    for (const operand of operands) {
      if (comparison !== 'equals') {
        this.#affixes[comparison].add(operand as string, entry);
        continue;
      }
      const list = this.#equals.get(operand);
      if (list) list.push(entry);
      else this.#equals.set(operand, [entry]);
    }
  }

  visit(view: EventView, visitor: Visitor<T>): void {
    const found = this.#of(view);
    this.#visitOne(found, visitor);
    for (const item of found.items) this.#visitOne(item, visitor);
  }

  #visitOne(found: Found, visitor: Visitor<T>): void {
    const { value } = found;
    if (typeof value === 'number' || typeof value === 'boolean') this.#equals.get(value)?.forEach(visitor);
    for (const form of found.forms) {
      this.#equals.get(form)?.forEach(visitor);
      this.#affixes.begins.visit(form, visitor);
      this.#affixes.ends.visit(form, visitor);
    }
  }
}

/** Number of filters per place and operand. */
type Frequencies = ReadonlyMap<string, number>;

const spot = ({ place, comparison }: Anchor, operand: Equal): string => JSON.stringify([comparison, operand, place]);

function frequenciesOf(entries: readonly Pick<Entry<unknown>, 'anchors'>[]): Frequencies {
  const frequencies = new Map<string, number>();
  for (const { anchors } of entries) {
    // Also counts a filter's only anchor: other filters take it into account when they choose.
    for (const anchor of anchors) {
      for (const operand of anchor.operands) {
        const key = spot(anchor, operand);
        frequencies.set(key, (frequencies.get(key) ?? 0) + 1);
      }
    }
  }
  return frequencies;
}

/** The anchor whose operands the fewest other filters share. */
function best(anchors: readonly Anchor[], frequencies: Frequencies): Anchor | undefined {
  if (anchors.length < 2) return anchors[0];
  const frequency = (anchor: Anchor): number =>
    Math.max(...anchor.operands.map((operand) => frequencies.get(spot(anchor, operand)) ?? 0));
  return anchors.map((anchor) => ({ anchor, size: frequency(anchor) })).reduce((a, b) => (b.size < a.size ? b : a))
    .anchor;
}
