import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Store } from '../../../src/kernel/store/types.ts';
import { bundled } from '../../support/bundled.ts';
import { type Engine, file, type Place, postgres } from './contract/engines.ts';
import { BATCH, batches, crashed } from './crash-collection.ts';

const SOAK = process.env.CLOUDJAR_SOAK === '1';
const KILLS = new Map([
  [file, SOAK ? 50 : 10],
  [postgres, SOAK ? 15 : 3],
]);
const WRITER = await bundled(join(import.meta.dirname, 'crash-writer.ts'));
/** The approximate time until a process has its first write acknowledged; some are killed earlier. */
const START_MS = 200;
const LIFE_MS = 150;
const PAGE = 1000;

/** Starts a writer, kills it at a random moment and returns the ids of its acknowledged writes. */
async function liveAndDie(engine: Engine, place: Place, life: number): Promise<string[]> {
  const writer = spawn(process.execPath, [WRITER, engine.name, place.address, `life${life}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  const killIn = (ms: number) => setTimeout(() => writer.kill('SIGKILL'), ms);
  const beforeReady = life % 4 === 3;
  if (beforeReady) killIn(Math.random() * START_MS);
  writer.stdout.setEncoding('utf8');
  writer.stdout.on('data', (text: string) => {
    if (said === '' && !beforeReady) killIn(Math.random() * LIFE_MS);
    said += text;
  });
  const [code, signal] = await new Promise<unknown[]>((resolve) => writer.once('close', (...end) => resolve(end)));
  expect([code, signal]).toEqual([null, 'SIGKILL']);
  // The last line may be incomplete.
  return said
    .slice(0, said.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1);
}

async function changesSince(
  store: Store,
  cursor: string | undefined,
): Promise<{ subjects: string[]; cursor: string | undefined }> {
  const subjects: string[] = [];
  for (;;) {
    const page = await store.changesAfter(cursor, PAGE);
    subjects.push(...page.map((change) => change.subject));
    cursor = page.at(-1)?.cursor ?? cursor;
    if (page.length < PAGE) return { subjects, cursor };
  }
}

/** The server rolls back the transactions of a killed client when it detects the disconnect; until then they hold back the feed. */
async function settled(engine: Engine, place: Place): Promise<void> {
  if (!engine.shared) return;
  const left = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  await expect.poll(() => place.sql(left).then((rows) => rows.length)).toBe(0);
}

async function keysOf(store: Store, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for (let after: readonly (string | number | boolean | null)[] | undefined; ; ) {
    const page = await store.query(crashed, { prefix, after, limit: PAGE });
    keys.push(...page.items.map((item) => item.key));
    if (!page.next) return keys;
    after = page.next;
  }
}

/** Returns the ids of all batches; fails if a batch is incomplete. */
async function batchesOf(store: Store, prefix: string): Promise<string[]> {
  if (!(await store.tables.definition(batches.name))) return [];
  const text = `SELECT c1, count(*), count(DISTINCT c2) FROM ${store.tables.sqlName(batches.name)} GROUP BY c1`;
  const columns = ['text', 'int64', 'int64'] as const;
  const { rows } = await store.tables.select({ text, values: [], columns }, { rows: 1_000_000, timeMs: 600_000 });
  expect(rows.filter(([, all, different]) => all !== BATCH || different !== BATCH)).toEqual([]);
  const ids = rows.map(([id]) => String(id));
  return ids.filter((id) => id.startsWith(prefix)).sort();
}

for (const [engine, kills] of KILLS) {
  describe(`${engine.name}: a process that is killed ${kills} times under load`, () => {
    test('has every acknowledged write, with exactly one change record, one work item and a whole batch of rows each', {
      timeout: 600_000,
    }, async (context) => {
      const place = await engine.place(context);
      let cursor: string | undefined;
      let acknowledgedInAll = 0;
      for (let life = 0; life < kills; life++) {
        const acknowledged = await liveAndDie(engine, place, life);
        acknowledgedInAll += acknowledged.length;
        await settled(engine, place);
        const store = await place.open([crashed]);
        const stored = await keysOf(store, `life${life}-`);
        const present = new Set(stored);
        expect(acknowledged.filter((id) => !present.has(id))).toEqual([]);
        const changes = await changesSince(store, cursor);
        expect(changes.subjects.toSorted()).toEqual(stored.toSorted());
        expect(await batchesOf(store, `life${life}-`)).toEqual(stored.toSorted());
        cursor = changes.cursor;
        await store.close();
      }
      expect(acknowledgedInAll).toBeGreaterThan(kills);

      const store = await place.open([crashed]);
      const stored = (await keysOf(store, '')).toSorted();
      const all = await changesSince(store, undefined);
      expect(all.subjects.toSorted()).toEqual(stored);
      expect(await batchesOf(store, '')).toEqual(stored);
      const work = engine.shared ? 'SELECT id FROM cloudjar.work' : 'SELECT id FROM work';
      const items = (await place.sql(work)) as { id: string }[];
      expect(items.map((item) => item.id).sort()).toEqual(stored);
      const tags = engine.shared
        ? 'SELECT value, key FROM cloudjar."s.test.crashed.tags"'
        : 'SELECT value, key FROM "s.test.crashed.tags"';
      const tagged = (await place.sql(tags)) as { value: string; key: string }[];
      expect(tagged.every((row) => row.value === row.key)).toBe(true);
      expect(tagged.map((row) => row.key).sort()).toEqual(stored);
    });
  });
}
