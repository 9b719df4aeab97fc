/** Addresses of cloud storage: comparison, and index keys to find what is above and below an address. */

/** Schemes with their older names. */
const SCHEMES: Readonly<Record<string, string>> = {
  abfss: 'abfss',
  abfs: 'abfss',
  wasbs: 'wasbs',
  s3: 's3',
  s3a: 's3',
  s3n: 's3',
  gs: 'gs',
  r2: 'r2',
};

/** In bytes: both stores index the whole address. */
const LONGEST = 2000;
/** Deeper addresses are refused, so that one query can ask for everything above an address. */
const DEEPEST = 100;

export type Cloud = 'azure' | 'aws' | 'gcp' | 'cloudflare';

const CLOUDS: Readonly<Record<string, Cloud>> = {
  abfss: 'azure',
  wasbs: 'azure',
  s3: 'aws',
  gs: 'gcp',
  r2: 'cloudflare',
};

export interface StorageUrl {
  readonly cloud: Cloud;
  /** For example `abfss://container@account.dfs.vendor.example`. */
  readonly root: string;
  readonly segments: readonly string[];
}

/** Whether a text starts with a scheme that locations support. */
export const isStorageScheme = (text: string): boolean =>
  Object.hasOwn(SCHEMES, text.slice(0, Math.max(0, text.indexOf('://'))).toLowerCase());

/** Returns undefined for anything else than a storage address, and for an address that could be written in two ways (`..`, `//`). */
export function parseStorageUrl(text: string): StorageUrl | undefined {
  if (Buffer.byteLength(text) > LONGEST) return undefined;
  const mark = text.indexOf('://');
  if (mark < 0) return undefined;
  const name = text.slice(0, mark).toLowerCase();
  const scheme = Object.hasOwn(SCHEMES, name) ? SCHEMES[name] : undefined;
  const cloud = scheme === undefined ? undefined : CLOUDS[scheme];
  if (!cloud) return undefined;
  const [authority = '', ...rest] = text.slice(mark + 3).split('/');
  if (!/^[A-Za-z0-9._@-]+$/.test(authority)) return undefined;
  const segments = rest.at(-1) === '' ? rest.slice(0, -1) : rest;
  if (segments.length > DEEPEST || segments.some(isUnclear)) return undefined;
  return { cloud, root: `${scheme}://${authority.toLowerCase()}`, segments };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
const UNCLEAR = /[\u0000-\u001f\u007f?#|]/;

const isUnclear = (segment: string): boolean => ['', '.', '..'].includes(segment) || UNCLEAR.test(segment);

/** The normalised form of an address. */
export const normalUrl = ({ root, segments }: StorageUrl): string => [root, ...segments].join('/');

/** The cloud of an address that was validated before. */
export const cloudOfUrl = (address: string): Cloud => parseStorageUrl(address)?.cloud ?? 'azure';

/** Keys of locations are separate from keys of the data in them. */
export type StorageUse = 'location' | 'data';

const start = (use: StorageUse, metastore: string): string => `${use}|${metastore}|`;

const keyAt = (use: StorageUse, metastore: string, { root, segments }: StorageUrl, depth: number): string =>
  `${start(use, metastore)}${[root, ...segments.slice(0, depth)].join('/')}/`;

/** The value of the declared store field. It ends in a slash, so that it is a prefix of everything below it and of nothing beside it. */
export function storageKey(use: StorageUse, metastore: string, address: string): string | undefined {
  const url = parseStorageUrl(address);
  return url && keyAt(use, metastore, url, url.segments.length);
}

/** The keys of the address and of everything above it, from the top. */
export const keysAbove = (use: StorageUse, metastore: string, url: StorageUrl): readonly string[] =>
  Array.from({ length: url.segments.length + 1 }, (_, depth) => keyAt(use, metastore, url, depth));

/** The key prefix of everything at and below the address. */
export const keyOfUrl = (use: StorageUse, metastore: string, url: StorageUrl): string =>
  keyAt(use, metastore, url, url.segments.length);
