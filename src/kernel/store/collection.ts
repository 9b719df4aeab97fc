import { MOST_PARTS } from './search/indexed.ts';
import type { SecretsIn } from './secrets.ts';
import type { Collection, Field, Json, Search } from './types.ts';

interface Unversioned<T> {
  fields?: Record<string, Field<T>>;
  indexes?: readonly (readonly string[])[];
  search?: Omit<Search<T>, 'within'> & { readonly within?: string };
  cached?: boolean;
  permanent?: boolean;
  wide?: boolean;
  secrets?: SecretsIn<T>;
}

/** Versioning of a collection's documents. docs/contributing/storage.md says when to raise the version. */
interface Versioned<T> {
  /** 2 or more. Goes up by one when stored documents, or what their declared fields mean, change. */
  version: number;
  /**
   * Converts a document of any earlier version to this version. Called at every read of an older document, so it must be fast and without
   * side effects.
   */
  upgrade: (document: Json, from: number) => T;
  /** The first release that writes this version. */
  release: string;
  /**
   * An earlier version whose releases can read this one unchanged, because members were only added: nodes of both share a database during a
   * rolling upgrade. `release` is the first that knows that version; omit it for version 1. Without `sharedWith`, releases that do not know
   * `version` are refused.
   */
  sharedWith?: { version: number; release?: string };
}

type CollectionOptions<T> = Unversioned<T> & (Versioned<T> | { version?: 1 });

/** Declares a collection. The engines create its tables and indexes at start. */
export function collection<T>(name: string, options: CollectionOptions<T> = {}): Collection<T> {
  if (!/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/.test(name)) throw new Error(`collection name '${name}' is not valid`);
  const { fields = {}, indexes = [], cached = false, permanent = false, wide = false, secrets } = options;
  for (const field of Object.keys(fields)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(field))
      throw new Error(`collection '${name}': field name '${field}' is not valid`);
  }
  for (const index of indexes) {
    for (const field of index) {
      const type = fields[field]?.type;
      if (type === undefined) throw new Error(`collection '${name}' has an index on '${field}', which is not a field`);
      if (type === 'set') throw new Error(`collection '${name}': the set '${field}' is indexed already`);
    }
  }
  const search = options.search && checkedSearch(name, fields, options.search);
  return { name, fields, indexes, search, cached, permanent, wide, secrets, ...versionOf(name, options) };
}

function checkedSearch<T>(
  name: string,
  fields: Readonly<Record<string, Field<T>>>,
  { parts, within, of }: NonNullable<Unversioned<T>['search']>,
): Search<T> {
  if (parts.length === 0 || parts.length > MOST_PARTS || new Set(parts).size < parts.length)
    throw new Error(`collection '${name}': full text has from 1 to ${MOST_PARTS} different parts`);
  if (within !== undefined && fields[within]?.type !== 'text')
    throw new Error(`collection '${name}' is searched within '${within}', which is not a text field`);
  return { parts, within, of };
}

type Version = Pick<Collection<never>, 'version' | 'readableBy' | 'oldestRelease' | 'upgrade'>;

/** Documents of version 1 never need an upgrade. */
const FIRST_VERSION: Version = { version: 1, readableBy: 1, oldestRelease: undefined, upgrade: (document) => document };

function versionOf<T>(name: string, options: CollectionOptions<T>): Version {
  if (!('upgrade' in options)) {
    if (options.version === undefined || options.version === 1) return FIRST_VERSION;
    throw new Error(`collection '${name}' is of version ${options.version} and has no upgrade`);
  }
  const { version, upgrade, release, sharedWith } = options;
  if (release === undefined) throw new Error(`collection '${name}': the release of version ${version} must be given`);
  if (!Number.isInteger(version) || version < 2)
    throw new Error(`collection '${name}': a version with an upgrade is 2 or more`);
  if (!sharedWith) return { version, readableBy: version, oldestRelease: release, upgrade };
  const { version: readableBy, release: oldestRelease } = sharedWith;
  if (!Number.isInteger(readableBy) || readableBy < 1 || readableBy >= version)
    throw new Error(`collection '${name}': version ${version} is shared with an earlier one, not with ${readableBy}`);
  if (readableBy > 1 && oldestRelease === undefined)
    throw new Error(`collection '${name}': the release of version ${readableBy} must be given`);
  return { version, readableBy, oldestRelease, upgrade };
}

export const text = <T>(of: (document: T) => string | null | undefined): Field<T> => ({ type: 'text', of });
export const number = <T>(of: (document: T) => number | null | undefined): Field<T> => ({ type: 'number', of });
export const boolean = <T>(of: (document: T) => boolean | null | undefined): Field<T> => ({ type: 'boolean', of });
export const set = <T>(of: (document: T) => readonly string[]): Field<T> => ({ type: 'set', of });
