import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { type Static, Type } from 'typebox';
import type { Store } from '../store/types.ts';
import type { Snapshot } from './collections.ts';
import { packedContentOf } from './restore.ts';

/** Grows when a release writes lines that an earlier one cannot read. */
export const FILE_FORMAT = 3;
/** Format 2 has the `oldest` release in its header, format 3 has rows of typed tables. A file has the first format that can express it. */
const FORMAT_FOR_ALL = 1;
const FORMAT_WITH_OLDEST = 2;

const Count = Type.Integer({ minimum: 0 });

/** The first line of a file: what it is, where it comes from and what is in it. */
export const FileHeader = Type.Object({
  cloudjar: Type.Literal('snapshot'),
  format: Type.Integer({ minimum: 1 }),
  version: Type.String({ maxLength: 100 }),
  /** The oldest release that can use the file; any where it is absent. */
  oldest: Type.Optional(Type.String({ pattern: '^\\d{1,5}\\.\\d{1,5}\\.\\d{1,5}$' })),
  engine: Type.String({ maxLength: 100 }),
  takenAt: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }),
  /** The same for every file of jars with the same secret key, and says nothing about the key. */
  keyCheck: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  counts: Type.Object({
    documents: Count,
    rows: Type.Optional(Count),
    work: Count,
    changes: Count,
    collections: Type.Record(Type.String(), Count),
  }),
});
export type FileHeader = Static<typeof FileHeader>;

/** The last line: without it a file is not complete. */
export const FileEnd = Type.Object({
  end: Type.Literal(true),
  /** Of the lines between the first and this one, with their line ends. */
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});

function formatOf({ oldest, counts }: Snapshot): number {
  if (counts.rows !== undefined) return FILE_FORMAT;
  return oldest === undefined ? FORMAT_FOR_ALL : FORMAT_WITH_OLDEST;
}

/**
 * A snapshot as a file: gzip of JSON lines. Pieces of gzip one after the other are gzip again, so that the chunks go out as they
 * are kept.
 */
export function fileOf(store: Store, snapshot: Snapshot, keyCheck: string): Readable {
  const { oldest } = snapshot;
  const header: FileHeader = {
    cloudjar: 'snapshot',
    format: formatOf(snapshot),
    version: snapshot.version,
    ...(oldest !== undefined && { oldest }),
    engine: snapshot.engine,
    takenAt: new Date(snapshot.takenAt).toISOString(),
    keyCheck,
    counts: { ...snapshot.counts, collections: { ...snapshot.counts.collections } },
  };
  const end: Static<typeof FileEnd> = { end: true, sha256: snapshot.sha256 };
  async function* pieces(): AsyncGenerator<Buffer> {
    yield gzipSync(`${JSON.stringify(header)}\n`);
    yield* packedContentOf(store, snapshot);
    yield gzipSync(`${JSON.stringify(end)}\n`);
  }
  return Readable.from(pieces(), { objectMode: false });
}
