import type { Spellings } from './tree.ts';
import { VersionView } from './view.ts';

/** By resource type without namespace: `containerGroups`. Paths are as in responses: `properties.containers[].properties.image`. */
type ByType<Value> = Readonly<Record<string, Value>>;

/** What a version adds or drops. */
export interface VersionChange {
  readonly types?: readonly string[];
  /** Names of routes: `Containers_Attach`. */
  readonly operations?: readonly string[];
  readonly fields?: ByType<readonly string[]>;
  /** Words of an enumeration, by path of the field. */
  readonly words?: ByType<Readonly<Record<string, readonly string[]>>>;
  /** Fields that requests must contain. Fields that every version requires are declared by the body itself. */
  readonly required?: ByType<readonly string[]>;
}

/**
 * One published api-version, as its difference from a base version. Everything that no row names is in every version. Previews are
 * branches, so the base may be older than the row above.
 */
export interface VersionRow {
  readonly version: string;
  /** The base version; by default that of the row above. */
  readonly as?: string;
  /** The types that have this version; by default all of them. */
  readonly only?: readonly string[];
  readonly adds?: VersionChange;
  readonly drops?: VersionChange;
  /** Fields that responses show from this version on, although its description lacks them. */
  readonly shows?: ByType<readonly string[]>;
  /** Words that only this version spells differently, by path of the field. */
  readonly spells?: ByType<Spellings>;
}

/** The versions of one type, or of one operation on it. */
export interface TypeVersions {
  /** Newest first. */
  readonly names: readonly string[];
  /** By name in any case; undefined if the version does not exist. */
  find(version: string): VersionView | undefined;
}

/** Everything in a version, as texts such as `field|containerGroups|properties.zones`. */
type Items = ReadonlySet<string>;

interface State {
  readonly has: Items;
  readonly shows: Items;
}

const NOTHING: State = { has: new Set(), shows: new Set() };

/** The api-versions of a provider. Computed on the first request. */
export class ProviderVersions {
  readonly #rows: readonly VersionRow[];
  readonly #like: Readonly<Record<string, string>>;
  #states: ReadonlyMap<string, State> | undefined;
  #items: Items | undefined;

  /** Rows from oldest to newest. `like` maps types to another type with the same fields. */
  constructor(rows: readonly VersionRow[], { like = {} }: { readonly like?: Readonly<Record<string, string>> } = {}) {
    this.#rows = rows;
    this.#like = like;
  }

  /** The versions of a type (without namespace), or of an operation that only some versions of the type have. */
  of(type: string, operation?: string): TypeVersions {
    const provider = this;
    let names: readonly string[] | undefined;
    let views: ReadonlyMap<string, VersionView> | undefined;
    return {
      get names() {
        names ??= provider.#namesOf(type, operation);
        return names;
      },
      find(version) {
        views ??= new Map(this.names.map((name) => [name, provider.#viewOf(type, name)]));
        return views.get(version) ?? views.get(version.toLowerCase());
      },
    };
  }

  #namesOf(type: string, operation: string | undefined): string[] {
    const wanted = [`type|${type}`, `operation|${operation}`].filter((item) => this.#named().has(item));
    const fitting = this.#rows.filter(({ version, only }) => {
      const has = this.#all().get(version)?.has;
      return (!only || only.includes(type)) && wanted.every((item) => has?.has(item));
    });
    return fitting.map(({ version }) => version).reverse();
  }

  #viewOf(type: string, version: string): VersionView {
    const { has, shows } = this.#all().get(version) ?? NOTHING;
    const of = this.#like[type] ?? type;
    const row = this.#rows.find((each) => each.version === version);
    const unread = new Set<string>();
    const lackingWords = new Map<string, Set<string>>();
    for (const item of this.#named()) {
      const [kind, itsType, field = '', word = ''] = item.split('|');
      if (itsType !== of || has.has(item)) continue;
      if (kind === 'field') unread.add(field);
      if (kind === 'word') lackingWords.set(field, (lackingWords.get(field) ?? new Set()).add(word));
    }
    const required = itemsOf(has, 'required', of);
    const shown = itemsOf(shows, 'field', of);
    const hidden = without(unread, shown);
    const spellings = row?.spells?.[of] ?? {};
    const differs = unread.size + lackingWords.size + required.size + Object.keys(spellings).length > 0;
    return new VersionView(version, differs ? { unread, hidden, lackingWords, required, spellings } : undefined);
  }

  /** Everything that any row names; nothing else can be missing in a version. */
  #named(): Items {
    this.#items ??= new Set([...this.#all().values()].flatMap(({ has, shows }) => [...has, ...shows]));
    return this.#items;
  }

  #all(): ReadonlyMap<string, State> {
    if (this.#states) return this.#states;
    const states = new Map<string, State>();
    let above: string | undefined;
    for (const { version, as = above, adds = {}, drops = {}, shows = {} } of this.#rows) {
      const before = as === undefined ? NOTHING : states.get(as);
      if (!before) throw new Error(`The api-version ${version} follows ${as}, which no row above it has.`);
      const has = new Set([...without(before.has, itemsIn(drops)), ...itemsIn(adds)]);
      states.set(version, { has, shows: new Set([...before.shows, ...itemsIn({ fields: shows })]) });
      above = version;
    }
    this.#states = states;
    return states;
  }
}

function itemsIn({ types = [], operations = [], fields = {}, words = {}, required = {} }: VersionChange): Set<string> {
  return new Set([
    ...types.map((type) => `type|${type}`),
    ...operations.map((operation) => `operation|${operation}`),
    ...Object.entries(fields).flatMap(([type, paths]) => paths.map((path) => `field|${type}|${path}`)),
    ...Object.entries(words).flatMap(([type, byField]) =>
      Object.entries(byField).flatMap(([path, list]) => list.map((word) => `word|${type}|${path}|${word}`)),
    ),
    ...Object.entries(required).flatMap(([type, paths]) => paths.map((path) => `required|${type}|${path}`)),
  ]);
}

const without = (items: Items, others: Items): Set<string> => new Set([...items].filter((item) => !others.has(item)));

/** The fields of a type among the items of a kind. */
function itemsOf(items: Items, kind: string, type: string): Set<string> {
  const start = `${kind}|${type}|`;
  return new Set([...items].flatMap((item) => (item.startsWith(start) ? [item.slice(start.length)] : [])));
}

/** Versions without differences. */
export function listedVersions(names: readonly string[]): TypeVersions {
  let views: ReadonlyMap<string, VersionView> | undefined;
  return {
    names,
    find(version) {
      views ??= new Map(names.map((name) => [name, new VersionView(name)]));
      return views.get(version) ?? views.get(version.toLowerCase());
    },
  };
}
