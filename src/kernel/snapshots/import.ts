import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Collection, Store } from '../store/types.ts';
import { ContentCheck } from './check-content.ts';
import { ChunkWriter } from './chunk-writer.ts';
import type { Snapshot } from './collections.ts';
import type { Drafts } from './drafts.ts';
import { explainLeftOut } from './left-out.ts';
import type { LeftOutSecrets } from './left-out-line.ts';
import { cutOff, malformed } from './lines.ts';
import { type ReadableFile, type ReadOptions, readFile } from './read-file.ts';
import { publish, type Saved } from './save.ts';
import { sameCounts } from './tally.ts';

export interface ImportOptions extends ReadOptions {
  readonly store: Store;
  readonly drafts: Drafts;
  /** For seed files: the collection to import into, instead of the users' snapshots, and the checksum of the file. */
  readonly seed?: { readonly into: Collection<Snapshot>; readonly source: string };
}

export interface Imported extends Saved {
  /** Collections of the file that this release does not have; a restore skips them. */
  readonly unknownCollections: readonly string[];
  /** Secrets that are missing because the file was written without secrets. */
  readonly leftOut: readonly LeftOutSecrets[];
}

/** Imports a file line by line. The snapshot is published after the last line has shown that the file is complete. */
export async function importFile(name: string, file: Readable, options: ImportOptions): Promise<Imported> {
  const opened = await readFile(file, options);
  try {
    return await options.drafts.write((id) => takeIn(id, name, opened, options));
  } finally {
    await opened.lines.return(undefined);
  }
}

async function takeIn(id: string, name: string, file: ReadableFile, options: ImportOptions): Promise<Imported> {
  const { store, collections } = options;
  const writer = new ChunkWriter(id);
  const check = new ContentCheck(collections);
  const hash = new LineHash();
  let last: string | undefined;
  try {
    for await (const line of file.lines) {
      if (last !== undefined) throw malformed('there is more after its last line');
      if (line.startsWith('{')) {
        last = line;
        continue;
      }
      check.check(line);
      hash.add(line);
      await writer.add(`${file.adopt(line)}\n`, (body) => store.transact(body));
    }
    const written = await writer.finish((body) => store.transact(body));
    const counts = check.tally.counts();
    if (last === undefined) throw cutOff('its last line is missing');
    const end = await file.readEnd(last);
    if (end.sha256 !== hash.digest()) throw cutOff('its checksum is not that of its content');
    if (!sameCounts(end.counts, counts)) throw cutOff('its content does not match its counts');
    const { engine, version, oldest } = file.origin;
    const release = { version, ...(oldest !== undefined && { oldest }) };
    const origin = { engine, takenAt: Date.parse(file.origin.takenAt), ...release };
    const { seed } = options;
    const source = seed && { source: seed.source };
    const snapshot = { id, name, ...origin, imported: true, counts, ...written, ...source };
    const saved = await publish(snapshot, options, seed?.into);
    return {
      ...saved,
      unknownCollections: [...check.unknown],
      leftOut: explainLeftOut(end.leftOut, collections),
    };
  } finally {
    await writer.settled();
  }
}

const HASHED_AT_ONCE = 64 * 1024;

/** The hash of lines with their line ends. It is fed in batches, because a call for each line would take longer than hashing. */
class LineHash {
  readonly #hash = createHash('sha256');
  #waiting = '';

  add(line: string): void {
    this.#waiting += `${line}\n`;
    if (this.#waiting.length < HASHED_AT_ONCE) return;
    this.#hash.update(this.#waiting);
    this.#waiting = '';
  }

  digest(): string {
    return this.#hash.update(this.#waiting).digest('hex');
  }
}
