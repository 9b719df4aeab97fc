import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { type Static, Type } from 'typebox';
import type { Store } from '../store/types.ts';
import type { Counts, Snapshot } from './collections.ts';
import { packedContentOf } from './restore.ts';

/** Raised when a release writes lines that an earlier one cannot read. */
export const FILE_FORMAT = 4;
/**
 * Format 2 adds the `oldest` release to the header, format 3 rows of typed tables, format 4 files for other jars (see
 * `travelling-file.ts`). A file uses the lowest format that can express it.
 */
const FORMAT_FOR_ALL = 1;
const FORMAT_WITH_OLDEST = 2;
const FORMAT_WITH_ROWS = 3;

const Count = Type.Integer({ minimum: 0 });

export const FileCounts = Type.Object({
  documents: Count,
  rows: Type.Optional(Count),
  work: Count,
  changes: Count,
  collections: Type.Record(Type.String(), Count),
});

/** Members of the first line of every file: its type and origin. */
export const originMembers = {
  cloudjar: Type.Literal('snapshot'),
  format: Type.Integer({ minimum: 1 }),
  version: Type.String({ maxLength: 100 }),
  /** The oldest release that can use the file; absent if every release can. */
  oldest: Type.Optional(Type.String({ pattern: '^\\d{1,5}\\.\\d{1,5}\\.\\d{1,5}$' })),
  engine: Type.String({ maxLength: 100 }),
  takenAt: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }),
};

/** The first line of a file for jars with the same secret key. */
export const FileHeader = Type.Object({
  ...originMembers,
  format: Type.Integer({ minimum: FORMAT_FOR_ALL, maximum: FORMAT_WITH_ROWS }),
  /** Equal for all jars with the same secret key, and reveals nothing about the key. */
  keyCheck: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  counts: FileCounts,
});
export type FileHeader = Static<typeof FileHeader>;

/** The last line; a file without it is incomplete. */
export const FileEnd = Type.Object({
  end: Type.Literal(true),
  /** Hash of the lines between the first and the last, including line ends. */
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});

function formatOf({ oldest, counts }: Snapshot): number {
  if (counts.rows !== undefined) return FORMAT_WITH_ROWS;
  return oldest === undefined ? FORMAT_FOR_ALL : FORMAT_WITH_OLDEST;
}

export function originOf(snapshot: Snapshot, format: number) {
  const { version, oldest, engine, takenAt } = snapshot;
  return {
    cloudjar: 'snapshot' as const,
    format,
    version,
    ...(oldest !== undefined && { oldest }),
    engine,
    takenAt: new Date(takenAt).toISOString(),
  };
}

export const copyOf = (counts: Counts): Static<typeof FileCounts> => ({
  ...counts,
  collections: { ...counts.collections },
});

/** Writes a snapshot as a file: gzip of JSON lines. Concatenated gzip members are valid gzip, so chunks are sent as stored. */
export function fileOf(store: Store, snapshot: Snapshot, keyCheck: string): Readable {
  const header: FileHeader = { ...originOf(snapshot, formatOf(snapshot)), keyCheck, counts: copyOf(snapshot.counts) };
  const end: Static<typeof FileEnd> = { end: true, sha256: snapshot.sha256 };
  async function* pieces(): AsyncGenerator<Buffer> {
    yield gzipSync(`${JSON.stringify(header)}\n`);
    yield* packedContentOf(store, snapshot);
    yield gzipSync(`${JSON.stringify(end)}\n`);
  }
  return Readable.from(pieces(), { objectMode: false });
}
