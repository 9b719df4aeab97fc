import { StoreError } from './errors.ts';
import type { StoreOptions } from './options.ts';

/** `major.minor.patch`; what follows the patch does not count. */
const RELEASE = /^(\d+)\.(\d+)\.(\d+)/;

/** Negative when `a` is the earlier of two releases, 0 when they are the same. */
export function compareReleases(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (const [i, part] of left.entries()) if (part !== right[i]) return part - right[i]!;
  return 0;
}

export const isEarlier = (release: string, than: string): boolean => compareReleases(release, than) < 0;

/** The latest of some releases; undefined where there is none. */
export function latestOf(releases: Iterable<string | undefined>): string | undefined {
  let latest: string | undefined;
  for (const release of releases)
    if (release !== undefined && (latest === undefined || isEarlier(latest, release))) latest = release;
  return latest;
}

/**
 * Throws where `release` is earlier than the oldest release that may use something; to be called before anything is changed.
 * `release` is undefined for programs that are none, such as tests of the store alone.
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
 * The oldest release that may use a store after it was opened with these collections and kinds of work; throws where this release is too old for what the store
 * notes already. It only grows: what was written stays.
 */
export function oldestOf(noted: string | undefined, options: SchemaOptions): string | undefined {
  const { collections, work = [], release } = options;
  refuseTooOld('the database', noted, release);
  for (const { name, oldestRelease } of collections) refuseToCome(`the collection '${name}'`, oldestRelease, release);
  for (const { kind, oldestRelease } of work) refuseToCome(`the work '${kind}'`, oldestRelease, release);
  return latestOf([noted, oldestToRead(options)]);
}

/** The oldest release that can read what is written with these declarations; undefined where every release can. */
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
