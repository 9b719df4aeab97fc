import { etag as randomEtag } from '../ids/index.ts';
import { isList } from '../values/objects.ts';
import { StoreError, upgradeFailed } from './errors.ts';
import type { Collection, Json } from './types.ts';

/**
 * The version of a document is stored as a prefix of its etag: `2.1.MwADSrrmmHG_bKOm` is a document of version 2 that a release which knows
 * version 1 can read. Without a prefix, the version is 1. An etag is stored with the document everywhere (rows, caches, snapshots, files),
 * and every write generates a new one; so a release without versioning writes version 1, as it should.
 */
/** Does not match a leading zero: the views of due work and change records have etags of zero-padded numbers. */
const VERSIONED = /^([1-9]\d{0,8})\.([1-9]\d{0,8})\./;
const SEPARATOR = '.';

export function newEtag({ version, readableBy }: Collection<never>): string {
  return version === 1 ? randomEtag() : `${stampOf(version)}${readableBy}${SEPARATOR}${randomEtag()}`;
}

/** The etag prefix shared by all documents of a version; empty for version 1. */
export const stampOf = (version: number): string => (version === 1 ? '' : `${version}${SEPARATOR}`);

/**
 * The only conversion from stored JSON to a document. Returns the document unchanged if its version is the declared one, and upgrades it if
 * it is older. A document of an earlier release is rewritten in the store only by its next write, so that nodes of that release can still
 * read it.
 */
export function readDocument<T>(collection: Collection<T>, key: string, etag: string, body: string): T {
  const document: Json = JSON.parse(body);
  const known = collection.version;
  const [version, readableBy] = versionOf(etag);
  // The cast is safe: only `put` of this version, or of a later one that declares itself readable as this one, writes such an etag.
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

/** Returns the members of a stored object, for use in an `upgrade`. */
export function membersOf(document: Json): Readonly<Record<string, Json | undefined>> {
  if (typeof document === 'object' && document !== null && !isList(document)) return document;
  throw new TypeError('the document is not an object');
}
