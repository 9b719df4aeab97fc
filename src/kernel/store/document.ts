import { etag as randomEtag } from '../ids/index.ts';
import { isList } from '../values/objects.ts';
import { StoreError, upgradeFailed } from './errors.ts';
import type { Collection, Json } from './types.ts';

/**
 * The version of a document is the beginning of its etag: `2.1.MwADSrrmmHG_bKOm` is a document of version 2 that a release which knows
 * version 1 can read. Without such a beginning it has version 1. An etag goes wherever a document goes (rows, caches, snapshots, files), and
 * every write makes a new one; so a release that knows nothing of versions writes version 1, which is what it means.
 */
/** Not what begins with a zero: the views of due work and change records have etags of padded numbers. */
const VERSIONED = /^([1-9]\d{0,8})\.([1-9]\d{0,8})\./;
const SEPARATOR = '.';

/** For a document that is written now. */
export function newEtag({ version, readableBy }: Collection<never>): string {
  return version === 1 ? randomEtag() : `${stampOf(version)}${readableBy}${SEPARATOR}${randomEtag()}`;
}

/** What the etags of all documents of a version begin with; nothing for version 1. */
export const stampOf = (version: number): string => (version === 1 ? '' : `${version}${SEPARATOR}`);

/**
 * The one way from stored JSON to a document: as it is when its version is the declared one, upgraded when it is older. What an earlier release
 * has written changes in the store with its next write only, so that nodes of that release can still read it.
 */
export function readDocument<T>(collection: Collection<T>, key: string, etag: string, body: string): T {
  const document: Json = JSON.parse(body);
  const known = collection.version;
  const [version, readableBy] = versionOf(etag);
  // Trusted: only `put` of this version, or of a later one that says it can be read as this one, writes such an etag.
  if (version === known || (version > known && readableBy <= known)) return document as T;
  if (version > known) throw newerDocument(collection, key, version);
  try {
    return collection.upgrade(document, version) as T;
  } catch (error) {
    throw upgradeFailed(collection, key, version, error);
  }
}

function versionOf(etag: string): readonly [version: number, readableBy: number] {
  const found = etag.includes(SEPARATOR) ? VERSIONED.exec(etag) : null;
  return found ? [Number(found[1]), Number(found[2])] : FIRST;
}

const FIRST = [1, 1] as const;

function newerDocument({ name, version: known }: Collection<never>, key: string, version: number): StoreError {
  return new StoreError(
    'NEWER_VERSION',
    `the document '${key.slice(0, 200)}' of ${name} has version ${version}, written by a later release; this one knows up to ${known}`,
  );
}

/** The members of a stored object, for an `upgrade`. */
export function membersOf(document: Json): Readonly<Record<string, Json | undefined>> {
  if (typeof document === 'object' && document !== null && !isList(document)) return document;
  throw new TypeError('the document is not an object');
}
