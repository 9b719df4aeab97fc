import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CopyTally, copyCollections } from '../../../../src/services/datashare/copying/index.ts';
import { PIECE_BYTES } from '../../../../src/services/datashare/storage/index.ts';
import { type Engine, file, type Place, postgres } from '../../../kernel/store/contract/engines.ts';
import { bundled } from '../../../support/bundled.ts';
import { newFolder } from '../storage/support.ts';
import { namesIn, World, writeAt } from './support.ts';

const SOAK = process.env.CLOUDJAR_SOAK === '1';
const KILLS = new Map([
  [file, SOAK ? 60 : 8],
  [postgres, SOAK ? 20 : 3],
]);
const COPIER = await bundled(join(import.meta.dirname, 'crash-copier.ts'));
/** Counted from the first output of a copier; a run without a kill takes about twice as long. */
const LIFE_MS = 300;

const SMALL_FILES = 400;
const LARGE = 'a/large';
const LARGE_PIECES = 34;
/** Pieces between two checkpoints of a large file. */
const CHECKPOINT = 8;
/** Files that may be copied but not recorded: a batch being written, a waiting batch, and files in flight. */
const MOST_UNRECORDED = 64 + 64 + 16;

interface Life {
  readonly reads: readonly (readonly [name: string, piece: number])[];
  /** Undefined for a copier that was killed. */
  readonly tally?: CopyTally;
}

async function live(engine: Engine, place: Place, args: readonly string[], isKilled: boolean): Promise<Life> {
  const copier = spawn(process.execPath, [COPIER, engine.name, place.address, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  copier.stdout.setEncoding('utf8');
  copier.stdout.on('data', (text: string) => {
    if (said === '' && isKilled) setTimeout(() => copier.kill('SIGKILL'), Math.random() * LIFE_MS);
    said += text;
  });
  const [code] = await new Promise<unknown[]>((resolve) => copier.once('close', (...end) => resolve(end)));
  // The last line may be incomplete.
  const lines = said.split('\n').slice(0, -1);
  const reads = lines
    .filter((line) => line.startsWith('read '))
    .map((line) => line.split(' '))
    .map(([, name = '', offset]) => [name, Number(offset) / PIECE_BYTES] as const);
  const done = lines.find((line) => line.startsWith('done '));
  expect(done !== undefined || (isKilled && code === null)).toBe(true);
  return { reads, ...(done !== undefined && { tally: JSON.parse(done.slice('done '.length)) as CopyTally }) };
}

/** The first piece of the large file that the next life must read. */
function checkpointOf({ reads }: Life): number | undefined {
  const last = reads.filter(([name]) => name === LARGE).at(-1)?.[1];
  // After the last piece, the file may be committed but not recorded.
  if (last === undefined || last >= LARGE_PIECES - 1) return undefined;
  // One piece is read ahead of the one being written, and the last checkpoint may not be stored yet.
  return Math.max(0, Math.floor((last - 1) / CHECKPOINT) - 1) * CHECKPOINT;
}

function fill(world: World): void {
  for (let i = 0; i < SMALL_FILES; i++) world.write(`f${i % 7}/${i}`, randomBytes(i));
  world.write(LARGE, randomBytes(LARGE_PIECES * PIECE_BYTES));
  world.write('f1/medium', randomBytes(PIECE_BYTES + 1));
}

/** Changes some files, deletes others and adds new ones. */
function change(world: World, round: number): void {
  for (let i = round % 3; i < SMALL_FILES; i += 3) world.write(`f${i % 7}/${i}`, randomBytes(i));
  world.delete(`f${round % 7}/${round % 7}`);
  writeAt(world.source(`new/${round}`), randomBytes(10));
}

interface Tree {
  readonly digests: Readonly<Record<string, string>>;
  readonly size: number;
}

function treeOf(folder: string): Tree {
  const digests: Record<string, string> = {};
  let size = 0;
  for (const name of namesIn(folder)) {
    const content = readFileSync(join(folder, name));
    digests[name] = createHash('sha256').update(content).digest('hex');
    size += content.length;
  }
  return { digests, size };
}

for (const [engine, kills] of KILLS) {
  describe(`${engine.name}: a copier that is killed ${kills} times`, () => {
    test('resumes where it was, counts everything once, and ends with a target equal to the source', async (context) => {
      const place = await engine.place(context);
      const root = newFolder();
      const world = new World(await place.open(copyCollections), root);
      await world.store.close();
      fill(world);
      let killed = 0;
      let finished = 0;
      while (killed < kills || finished === 0) {
        const run = `run-${finished}`;
        const read: string[] = [];
        let checkpoint: number | undefined;
        let deaths = 0;
        for (;;) {
          const life = await live(engine, place, [root, run, 'FullSync'], killed < kills);
          const first = life.reads.find(([name]) => name === LARGE)?.[1];
          expect(first ?? LARGE_PIECES).toBeGreaterThanOrEqual(checkpoint ?? 0);
          if (first !== undefined) checkpoint = checkpointOf(life);
          read.push(...life.reads.filter(([name]) => name !== LARGE).map(([name]) => name));
          if (life.tally) {
            const { digests, size } = treeOf(world.source());
            expect(treeOf(world.target()).digests).toEqual(digests);
            const files = Object.keys(digests).length;
            expect(life.tally).toMatchObject({
              filesRead: files,
              filesWritten: files,
              sizeRead: size,
              sizeWritten: size,
              filesRemoved: finished === 0 ? 0 : 1,
            });
            break;
          }
          deaths += 1;
          killed += 1;
        }
        expect(read.length - new Set(read).size).toBeLessThanOrEqual(deaths * MOST_UNRECORDED);
        change(world, finished);
        finished += 1;
      }
    });
  });
}
