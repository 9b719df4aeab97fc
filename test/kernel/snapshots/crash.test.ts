import { spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { chunks, drafts } from '../../../src/kernel/snapshots/collections.ts';
import { bundled } from '../../support/bundled.ts';
import { type Engine, file, type Place, postgres } from '../store/contract/engines.ts';
import { fill, ITEMS, items, type Opened, openSnapshots } from './open-snapshots.ts';

const SOAK = process.env.CLOUDJAR_SOAK === '1';
const KILLS = new Map([
  [file, SOAK ? 40 : 3],
  [postgres, SOAK ? 20 : 2],
]);
const CHILD = await bundled(join(import.meta.dirname, 'crash-child.ts'));
const LIFE_MS = 400;

/** Lets a child run until it has printed something, kills it a little later, and returns its output. */
async function liveAndDie(
  engine: Engine,
  place: Place,
  what: string,
  life: number,
  env: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const child = spawn(process.execPath, [CHILD, engine.name, place.address, what, String(life)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  let said = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text: string) => {
    if (said === '') setTimeout(() => child.kill('SIGKILL'), Math.random() * LIFE_MS);
    said += text;
  });
  const end = await new Promise<unknown[]>((resolve) => child.once('close', (...args) => resolve(args)));
  expect(end).toEqual([null, 'SIGKILL']);
  await settled(engine, place);
  return said.split('\n').slice(0, -1);
}

/** The server rolls back the transactions of a killed client when it detects the disconnect. */
async function settled(engine: Engine, place: Place): Promise<void> {
  if (!engine.shared) return;
  const left = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  await expect.poll(() => place.sql(left).then((rows) => rows.length)).toBe(0);
}

async function open(engine: Engine, place: Place): Promise<Opened> {
  const opened = await openSnapshots(engine.name, place.address);
  onTestFinished(() => opened.close());
  return opened;
}

/** Returns the generation of all items, which must be the same. */
async function generation({ store }: Opened): Promise<string> {
  const page = await store.query(items, { limit: ITEMS + 1 });
  expect(page.items).toHaveLength(ITEMS);
  const generations = new Set(page.items.map((item) => item.value.generation));
  for (const change of await store.changesAfter(undefined, 1000)) {
    if (change.source !== 'control') generations.add(change.source);
  }
  for (const kind of await store.work.kinds()) generations.add(kind);
  expect([...generations]).toHaveLength(1);
  const only = [...generations][0]!;
  expect(await store.count(items, { filter: { op: 'has', field: 'marks', value: only } })).toBe(ITEMS);
  expect((await store.work.stats()).waiting).toBe(50);
  return only;
}

for (const [engine, kills] of KILLS) {
  describe(`${engine.name}: a process that is killed ${kills} times`, () => {
    test('while it saves has every snapshot it spoke of, whole, and nothing of the one it was at', {
      timeout: 600_000,
    }, async (context) => {
      const place = await engine.place(context);
      for (let life = 0; life < kills; life++) {
        const said = await liveAndDie(engine, place, 'save', life);
        const opened = await open(engine, place);
        const listed = await opened.snapshots.list();
        expect(listed.map((each) => each.name)).toEqual(
          expect.arrayContaining(said.filter((name) => name !== 'filled')),
        );
        await expect.poll(() => opened.store.count(drafts)).toBe(0);
        const wanted = listed.reduce((sum, each) => sum + each.chunks, 0);
        expect(await opened.store.count(chunks)).toBe(wanted);
        for (const { name } of listed.filter((each) => each.name.startsWith(`s-${life}-`))) {
          await opened.snapshots.restore(name);
          expect(await generation(opened)).toBe(`of-${life}`);
        }
        for (const { name } of listed) await opened.snapshots.delete(name);
        expect(await opened.store.count(chunks)).toBe(0);
        await opened.close();
      }
    });

    test('while it imports a file of another jar has every snapshot it spoke of, whole, and nothing of the one it was at', {
      timeout: 600_000,
    }, async (context) => {
      const folder = mkdtempSync(join(tmpdir(), 'cloudjar-import-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const env = { TRAVEL_FILE: join(folder, 'file.gz'), TRAVEL_PASSPHRASE: 'a passphrase of the test' };
      const other = await openSnapshots('SQLite', '', 2);
      onTestFinished(() => other.close());
      await fill(other.store, 'elsewhere');
      await other.snapshots.save('made');
      const { file } = await other.snapshots.content('made', { passphrase: env.TRAVEL_PASSPHRASE });
      await pipeline(file, createWriteStream(env.TRAVEL_FILE));
      const place = await engine.place(context);
      for (let life = 0; life < kills; life++) {
        const said = await liveAndDie(engine, place, 'import', life, env);
        const opened = await open(engine, place);
        const listed = await opened.snapshots.list();
        expect(listed.map((each) => each.name)).toEqual(
          expect.arrayContaining(said.filter((name) => name !== 'begun')),
        );
        await expect.poll(() => opened.store.count(drafts)).toBe(0);
        expect(await opened.store.count(chunks)).toBe(listed.reduce((sum, each) => sum + each.chunks, 0));
        for (const { name } of listed) {
          await opened.snapshots.restore(name);
          expect(await generation(opened)).toBe('elsewhere');
          await opened.snapshots.delete(name);
        }
        await opened.close();
      }
    });

    test('while it restores has the state before or the one after it, never a mixture', {
      timeout: 600_000,
    }, async (context) => {
      const place = await engine.place(context);
      const before = await open(engine, place);
      for (const name of ['a', 'b']) {
        await fill(before.store, name);
        await before.snapshots.save(name);
      }
      await before.close();
      const seen = new Set<string>();
      for (let life = 0; life < kills; life++) {
        const said = await liveAndDie(engine, place, 'restore', life);
        const opened = await open(engine, place);
        const found = await generation(opened);
        seen.add(found);
        // The last one that was printed, or the next one, which was completed but not printed.
        expect(['a', 'b']).toContain(found);
        expect(said.length).toBeGreaterThan(0);
        await opened.close();
      }
      expect(seen.size).toBeGreaterThan(0);
    });
  });
}
