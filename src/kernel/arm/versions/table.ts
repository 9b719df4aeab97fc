import type { Spellings } from './tree.ts';
import { VersionView } from './view.ts';

/** By resource type without its namespace: `containerGroups`. Paths are as in answers: `properties.containers[].properties.image`. */
type ByType<Value> = Readonly<Record<string, Value>>;

/** What appears in a version, or vanishes with it. */
export interface VersionChange {
  readonly types?: readonly string[];
  /** By the names of routes: `Containers_Attach`. */
  readonly operations?: readonly string[];
  readonly fields?: ByType<readonly string[]>;
  /** Words of an enumeration, by the path of the field. */
  readonly words?: ByType<Readonly<Record<string, readonly string[]>>>;
  /** Fields that requests must have; for those that are required in every version the body itself says so. */
  readonly required?: ByType<readonly string[]>;
}

/**
 * One published api-version: how it differs from the version that it follows. What no row names is in every version. Previews are
 * branches, so that a version may follow on an older one than the row above.
 */
export interface VersionRow {
  readonly version: string;
  /** The version that it follows; that of the row above unless given. */
  readonly as?: string;
  /** The types that have the version at all; all of them unless given. */
  readonly only?: readonly string[];
  readonly adds?: VersionChange;
  readonly drops?: VersionChange;
  /** Fields that answers show from this version on although its description does not have them. */
  readonly shows?: ByType<readonly string[]>;
  /** Words that this version alone writes differently, by the path of the field. */
  readonly spells?: ByType<Spellings>;
}

/** The versions of one type, or of one operation on it. */
export interface TypeVersions {
  /** Newest first. */
  readonly names: readonly string[];
  /** By its name in any case; absent where there is no such version. */
  find(version: string): VersionView | undefined;
}

/** All there is in a version, as texts such as `field|containerGroups|properties.zones`. */
type Items = ReadonlySet<string>;

interface State {
  readonly has: Items;
  readonly shows: Items;
}

const NOTHING: State = { has: new Set(), shows: new Set() };

/** The api-versions of a provider. Nothing is worked out before a request comes for it. */
export class ProviderVersions {
  readonly #rows: readonly VersionRow[];
  readonly #like: Readonly<Record<string, string>>;
  #states: ReadonlyMap<string, State> | undefined;
  #items: Items | undefined;

  /** Rows from the oldest to the newest. `like` names types that have the fields of another type. */
  constructor(rows: readonly VersionRow[], { like = {} }: { readonly like?: Readonly<Record<string, string>> } = {}) {
    this.#rows = rows;
    this.#like = like;
  }

  /** Of a type without its namespace, and of an operation on it if that is not in all versions of the type. */
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

  /** What any row names: only that can be missing in a version. */
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

/** The fields of a type among items of a kind. */
function itemsOf(items: Items, kind: string, type: string): Set<string> {
  const start = `${kind}|${type}|`;
  return new Set([...items].flatMap((item) => (item.startsWith(start) ? [item.slice(start.length)] : [])));
}

/** Versions that differ in nothing. */
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
