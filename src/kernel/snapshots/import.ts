import type { Readable } from 'node:stream';
import type { Static, TSchema } from 'typebox';
import type { Collection, Store } from '../store/types.ts';
import { findMistake } from '../values/find-mistake.ts';
import { ContentCheck } from './check-content.ts';
import { ChunkWriter } from './chunk-writer.ts';
import type { Counts } from './collections.ts';
import type { Drafts } from './drafts.ts';
import { refuseTooOld, snapshotErrors } from './errors.ts';
import { FILE_FORMAT, FileEnd, FileHeader } from './file.ts';
import { cutOff, linesOfFile, malformed } from './lines.ts';
import { publish, type Saved } from './save.ts';
import { sameCounts } from './tally.ts';

export interface ImportOptions {
  readonly store: Store;
  readonly drafts: Drafts;
  readonly version: string;
  readonly keyCheck: string;
  readonly collections: readonly Collection<never>[];
}

export interface Imported extends Saved {
  /** Collections of the file that this release does not have; a restore leaves them out. */
  readonly unknownCollections: readonly string[];
}

/** Takes a file in line by line. The snapshot is there once the last line has proved that the file is complete. */
export async function importFile(name: string, file: Readable, options: ImportOptions): Promise<Imported> {
  const lines = linesOfFile(file);
  try {
    const first = await lines.next();
    if (first.done) throw malformed('it is empty');
    const header = await readHeader(first.value, options);
    const { store, drafts, collections } = options;
    return await drafts.write(async (id) => {
      const writer = new ChunkWriter(id);
      const check = new ContentCheck(collections);
      let end: string | undefined;
      try {
        for await (const line of lines) {
          if (end !== undefined) throw malformed('there is more after its last line');
          if (line.startsWith('{')) {
            end = line;
            continue;
          }
          check.check(line);
          await writer.add(`${line}\n`, (body) => store.transact(body));
        }
        const written = await writer.finish((body) => store.transact(body));
        const counts = check.tally.counts();
        await checkEnd(end, written.sha256, header, counts);
        const { engine, version, oldest } = header;
        const takenAt = Date.parse(header.takenAt);
        const snapshot = {
          id,
          name,
          takenAt,
          engine,
          version,
          ...(oldest !== undefined && { oldest }),
          imported: true,
        };
        return {
          ...(await publish({ ...snapshot, counts, ...written }, options)),
          unknownCollections: [...check.unknown],
        };
      } finally {
        await writer.settled();
      }
    });
  } finally {
    await lines.return(undefined);
  }
}

async function readHeader(line: string, { keyCheck, version: own }: ImportOptions): Promise<FileHeader> {
  const header = parsed(line);
  const { cloudjar, format, version } = header;
  if (cloudjar !== 'snapshot') throw malformed('it does not begin with the header of one');
  if (typeof format === 'number' && format > FILE_FORMAT) {
    throw snapshotErrors.SnapshotFormatNewer({
      found: format,
      version: String(version).slice(0, 100),
      own,
      known: FILE_FORMAT,
    });
  }
  const checked = await checkedBy(FileHeader, header, 'header');
  if (Number.isNaN(Date.parse(checked.takenAt))) throw malformed('its header has a takenAt that is no time');
  refuseTooOld(checked.oldest, own);
  if (checked.keyCheck !== keyCheck) throw snapshotErrors.OtherSecretKey();
  return checked;
}

async function checkEnd(line: string | undefined, sha256: string, header: FileHeader, counts: Counts): Promise<void> {
  if (line === undefined) throw cutOff('its last line is missing');
  const end = await checkedBy(FileEnd, parsed(line), 'last line');
  if (end.sha256 !== sha256) throw cutOff('its checksum is not that of its content');
  if (!sameCounts(header.counts, counts)) throw cutOff('it does not hold what its header says');
}

/** The value, of the type that the schema stands for. */
async function checkedBy<Schema extends TSchema>(
  schema: Schema,
  value: unknown,
  where: string,
): Promise<Static<Schema>> {
  const mistake = await findMistake(schema, value);
  if (mistake) throw malformed(`its ${where} is wrong: ${mistake.field} ${mistake.reason}`);
  return value as Static<Schema>;
}

function parsed(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Whatever it is, it is not ours.
  }
  return {};
}
