import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openSqlite } from '../../../../src/kernel/store/index.ts';
import { copyCollections } from '../../../../src/services/datashare/copying/index.ts';
import { PIECE_BYTES } from '../../../../src/services/datashare/storage/index.ts';
import { newFolder } from '../storage/support.ts';
import { times, World } from './support.ts';

const RUNS = process.env.CLOUDJAR_SOAK === '1' ? 500 : 40;

/** Some names are folders of others, so that a path is a file at one time and a folder at another. */
const NAMES = [
  'a',
  'a/b',
  'a/b/c',
  'a/d',
  'a-b',
  'e',
  'e/f',
  'g',
  '\u{1F600}/\uFFFD',
  `${`${'ü'.repeat(120)}/`.repeat(8)}h`,
];
const LARGE_A = Buffer.alloc(PIECE_BYTES + 1, 'a');
const LARGE_B = Buffer.alloc(PIECE_BYTES + 1, 'b');
const CONTENTS = ['', '1', '2', 'three'];

type Step = (world: World) => Promise<void>;

const name = fc.constantFrom(...NAMES);
const content = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom<string | Buffer>(...CONTENTS) },
  { weight: 1, arbitrary: fc.constantFrom<string | Buffer>(LARGE_A, LARGE_B) },
);

/** Makes room for a file: removes conflicting files and folders. */
function makeRoom(world: World, file: string): void {
  const parts = file.split('/');
  for (let depth = 1; depth < parts.length; depth++) {
    const folder = world.source(parts.slice(0, depth).join('/'));
    if (existsSync(folder) && statSync(folder).isFile()) rmSync(folder);
  }
  rmSync(world.source(file), { recursive: true, force: true });
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

const writes = fc.tuple(name, content).map(
  ([file, bytes]): Step =>
    async (world) => {
      if (!isFile(world.source(file))) makeRoom(world, file);
      world.write(file, bytes);
    },
);
const touches = name.map(
  (file): Step =>
    async (world) => {
      if (isFile(world.source(file))) utimesSync(world.source(file), 1, 1);
    },
);
const deletes = name.map(
  (file): Step =>
    async (world) =>
      world.delete(file),
);
const renames = fc.tuple(name, name).map(
  ([from, to]): Step =>
    async (world) => {
      if (!isFile(world.source(from)) || to.startsWith(from) || from.startsWith(to)) return;
      makeRoom(world, to);
      mkdirSync(dirname(world.source(to)), { recursive: true });
      renameSync(world.source(from), world.source(to));
    },
);

/** A run that is stopped at some point and may be resumed later. */
const runs = fc
  .record({
    mode: fc.constantFrom('FullSync' as const, 'Incremental' as const),
    run: fc.constantFrom(undefined, 'stopped one', 'stopped two'),
    stop: fc.option(fc.nat(8), { nil: 1000 }),
  })
  .map(
    ({ mode, run, stop }): Step =>
      async (world) => {
        const options = { ...(run !== undefined && { run: `${mode} ${run}` }), proceed: times(stop) };
        const result = await world.copy(mode, options).catch((error) => {
          // An incremental run deletes nothing, not even a file in conflict with a folder.
          if (mode !== 'Incremental') throw error;
          expect(error).toMatchObject({ code: 'PathConflict' });
        });
        // A run that is already done does not scan the source again.
        if (result?.ended === 'done' && run === undefined) expect(missing(world)).toEqual([]);
      },
  );

/** Source files that are missing at the target or have other content there. */
function missing(world: World): string[] {
  return Object.entries(world.contentOfSource())
    .filter(([file, bytes]) => !isFile(world.target(file)) || readFileSync(world.target(file), 'latin1') !== bytes)
    .map(([file]) => file);
}

const step = fc.oneof(
  { weight: 5, arbitrary: writes },
  { weight: 1, arbitrary: touches },
  { weight: 2, arbitrary: deletes },
  { weight: 2, arbitrary: renames },
  { weight: 4, arbitrary: runs },
);

it('after any changes and runs, each of which may have been stopped, a full run leaves the target equal to the source', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const folder = newFolder();
      const store = await openSqlite({ collections: copyCollections });
      try {
        const world = new World(store, folder);
        for (const each of steps) await each(world);
        expect((await world.copy('FullSync')).ended).toBe('done');
        mkdirSync(world.target(), { recursive: true });
        expect(world.contentOfTarget()).toEqual(world.contentOfSource());
      } finally {
        await store.close();
        rmSync(folder, { recursive: true });
      }
    }),
    { numRuns: RUNS },
  );
});
