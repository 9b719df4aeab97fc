import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openSqlite } from '../../../src/kernel/store/sqlite/store.ts';
import type { CommitNotice, Store } from '../../../src/kernel/store/types.ts';
import { collections, counters, settings, things } from './contract/engines.ts';

const CHANGE = { source: 'test', kind: 'write', subject: 'a', outcome: 'Succeeded', at: 1, data: null } as const;

async function openFile(): Promise<{ store: Store; file: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'cloudjar-commit-'));
  const file = join(folder, 'jar.db');
  const store = await openSqlite({ file, collections });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  return { store, file };
}

test('transactions of one turn share one commit, and those submitted while it runs join it', async () => {
  const { store } = await openFile();
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
  onTestFinished(() => exec.mockRestore());
  const joined: Promise<unknown>[] = [];
  await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      store.transact(async (tx) => {
        if (i === 0) joined.push(store.transact((other) => other.put(things, 'joined', {})));
        await tx.put(things, `k${i}`, {});
      }),
    ),
  );
  await Promise.all(joined);
  expect(exec.mock.calls.filter(([sql]) => sql === 'COMMIT')).toHaveLength(1);
  expect(await store.count(things)).toBe(51);
});

test('bodies run strictly one after another, in the order in which they came', async () => {
  const { store } = await openFile();
  const log: string[] = [];
  await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      store.transact(async (tx) => {
        log.push(`${name} starts`);
        await tx.get(counters, 'x');
        await tx.put(counters, 'x', { count: 1 });
        log.push(`${name} ends`);
      }),
    ),
  );
  expect(log).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
});

test('when the commit fails, every caller gets the error, and nothing is stored', async () => {
  const { store } = await openFile();
  const original = DatabaseSync.prototype.exec;
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql: string) {
    if (sql === 'COMMIT' && this.isTransaction) throw new Error('disk I/O error');
    return original.call(this, sql);
  });
  onTestFinished(() => exec.mockRestore());
  const news: CommitNotice[] = [];
  store.onCommit((each) => news.push(each));
  const writes = ['a', 'b'].map((key) =>
    store.transact(async (tx) => {
      await tx.change(CHANGE);
      return tx.put(settings, key, { value: 'lost' });
    }),
  );
  for (const outcome of await Promise.allSettled(writes)) expect(outcome).toMatchObject({ status: 'rejected' });
  exec.mockRestore();
  expect(news).toEqual([]);
  expect(await store.count(settings)).toBe(0);
  await store.transact((tx) => tx.put(settings, 'a', { value: 'kept' }));
  expect((await store.cached(settings, 'a'))?.value.value).toBe('kept');
});

test('a listener or callback that throws is reported and affects no others', async () => {
  const errors: unknown[] = [];
  const store = await openSqlite({ collections, report: (error) => errors.push(error) });
  store.onCommit(() => {
    throw new Error('listener');
  });
  await store.transact(async (tx) => {
    tx.afterCommit(() => {
      throw new Error('callback');
    });
    await tx.change(CHANGE);
  });
  expect(errors.map(String)).toEqual(['Error: callback', 'Error: listener']);
  await store.close();
});

test('the write-ahead log does not grow without bounds while readers and writers take turns', async () => {
  const { store, file } = await openFile();
  for (let round = 0; round < 300; round++) {
    const writes = Array.from({ length: 10 }, (_, i) =>
      store.transact((tx) => tx.put(things, `k${i}`, { note: 'x'.repeat(2000) })),
    );
    const reads = Array.from({ length: 10 }, (_, i) => store.get(things, `k${i}`));
    await Promise.all([...writes, ...reads]);
    await store.get(things, 'k1');
  }
  const look = new DatabaseSync(file);
  const [checkpoint] = look.prepare('PRAGMA wal_checkpoint(PASSIVE)').all();
  look.close();
  // 300 rounds write several times the 1000 pages after which a checkpoint is due.
  expect(Number(checkpoint?.log)).toBeLessThan(3000);
});
