import { StoreError } from './errors.ts';
import type { StoreOptions } from './options.ts';

/** `major.minor.patch`; anything after the patch is ignored. */
const RELEASE = /^(\d+)\.(\d+)\.(\d+)/;

/** Negative if `a` is the earlier release, 0 if both are the same. */
export function compareReleases(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (const [i, part] of left.entries()) if (part !== right[i]) return part - right[i]!;
  return 0;
}

export const isEarlier = (release: string, than: string): boolean => compareReleases(release, than) < 0;

/** Returns undefined if no release is given. */
export function latestOf(releases: Iterable<string | undefined>): string | undefined {
  let latest: string | undefined;
  for (const release of releases)
    if (release !== undefined && (latest === undefined || isEarlier(latest, release))) latest = release;
  return latest;
}

/**
 * Throws if `release` is earlier than `oldest`. Call before anything is changed. `release` is undefined for programs that are not a
 * release, such as tests of the store.
 */
export function refuseTooOld(what: string, oldest: string | undefined, release: string | undefined): void {
  if (oldest === undefined || release === undefined || !isEarlier(release, oldest)) return;
  throw new StoreError(
    'NEWER_VERSION',
    `${what} can be used by release ${oldest} and later; this is release ${release}`,
  );
}

export type SchemaOptions = Pick<StoreOptions, 'collections' | 'work' | 'release'>;

/**
 * Returns the oldest release that may use a store after it was opened with these collections and kinds of work. Throws if this release is
 * too old for what the store has recorded. The result never decreases, because what was written stays.
 */
export function oldestOf(noted: string | undefined, options: SchemaOptions): string | undefined {
  const { collections, work = [], release } = options;
  refuseTooOld('the database', noted, release);
  for (const { name, oldestRelease } of collections) refuseToCome(`the collection '${name}'`, oldestRelease, release);
  for (const { kind, oldestRelease } of work) refuseToCome(`the work '${kind}'`, oldestRelease, release);
  return latestOf([noted, oldestToRead(options)]);
}

/** The oldest release that can read what is written with these declarations; undefined if every release can. */
export const oldestToRead = ({ collections, work = [] }: Pick<StoreOptions, 'collections' | 'work'>) =>
  latestOf([...collections, ...work].map((each) => each.oldestRelease));

function refuseToCome(what: string, oldestRelease: string | undefined, release: string | undefined): void {
  if (oldestRelease === undefined || release === undefined || !isEarlier(release, oldestRelease)) return;
  throw new Error(`${what} is declared for release ${oldestRelease}, and this is ${release}`);
}

function partsOf(release: string): [number, number, number] {
  const found = RELEASE.exec(release);
  if (!found) throw new Error(`'${release}' is not a release: major.minor.patch is expected`);
  return [Number(found[1]), Number(found[2]), Number(found[3])];
}
