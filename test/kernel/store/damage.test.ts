import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite } from '../../../src/kernel/store/index.ts';
import type { Store } from '../../../src/kernel/store/types.ts';
import { bundled } from '../../support/bundled.ts';
import { crashed } from './crash-collection.ts';

const WRITER = await bundled(join(import.meta.dirname, 'crash-writer.ts'));
const PAGE_BYTES = 4096;
const FRAME_BYTES = 24 + PAGE_BYTES;

describe('a database file', () => {
  let folder: string;
  let file: string;
  let store: Store | undefined;
  let told: string[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cloudjar-damage-'));
    file = join(folder, 'jar.db');
    told = [];
  });
  afterEach(async () => {
    await store?.close();
    store = undefined;
    rmSync(folder, { recursive: true, force: true });
  });

  const open = async (): Promise<Store> => {
    store = await openSqlite({ file, collections: [crashed], damaged: (reason) => told.push(reason) });
    return store;
  };
  const close = async (): Promise<void> => {
    await store?.close();
    store = undefined;
  };
  /** Writes documents in a process that is then killed, so that they are only in the log. */
  const writeAndDie = async (): Promise<void> => {
    const child = spawn(process.execPath, [WRITER, 'SQLite', file, '1'], { stdio: ['ignore', 'pipe', 'inherit'] });
    let lines = 0;
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text: string) => {
      lines += text.split('\n').length - 1;
      if (lines > 20) child.kill('SIGKILL');
    });
    await once(child, 'close');
  };

  it("is its owner's alone, with the files beside it, whatever the folder lets others do and whatever it was before", async () => {
    chmodSync(folder, 0o777);
    await open();
    await store!.transact((tx) => tx.put(crashed, 'a', { id: 'a', tags: [] }));
    const modes = () => ['', '-wal', '-shm'].map((end) => (statSync(file + end).mode & 0o777).toString(8));
    expect(modes()).toEqual(['600', '600', '600']);
    await close();
    chmodSync(file, 0o666);
    await open();
    expect(modes()).toEqual(['600', '600', '600']);
  });

  it('that is whole is not reported as damaged, after a kill either', async () => {
    await writeAndDie();
    await open();
    expect(await store!.count(crashed)).toBeGreaterThan(0);
    await close();
    await open();
    expect(told).toEqual([]);
  });

  it.each([
    // The last pages may belong to a transaction that was not committed before the kill.
    ['cut', (log: string) => truncateSync(log, Math.floor(statSync(log).size / 2))],
    ['emptied', (log: string) => truncateSync(log, 0)],
    ['removed', (log: string) => rmSync(log)],
    [
      'overwritten in the middle',
      (log: string) => {
        const bytes = readFileSync(log);
        bytes.fill(0xaa, 32 + 2 * FRAME_BYTES + 24, 32 + 3 * FRAME_BYTES);
        writeFileSync(log, bytes);
      },
    ],
  ])('whose log was %s is reported at the start, with the size of the loss', async (_, damage) => {
    await writeAndDie();
    damage(`${file}-wal`);
    await open().catch(() => {});
    expect(told).toEqual([
      expect.stringMatching(/its log ends after \d+ of the \d+ pages .*: the latest changes are lost/),
    ]);
  });

  it('that was damaged in the middle is reported a while after the start', async () => {
    await open();
    await store!.transact((tx) =>
      tx.putAll(
        crashed,
        Array.from({ length: 2000 }, (_, number) => [`entry-${number}`, { id: `entry-${number}`, tags: [] }] as const),
      ),
    );
    await close();
    const handle = openSync(file, 'r+');
    const pages = statSync(file).size / PAGE_BYTES;
    // Far from the tables that are read at start.
    for (let page = Math.floor(pages / 2); page < pages / 2 + 4; page++) {
      writeSync(handle, Buffer.alloc(PAGE_BYTES, 0x55), 0, PAGE_BYTES, page * PAGE_BYTES);
    }
    closeSync(handle);
    await open();
    await expect.poll(() => told, { timeout: 120_000 }).toEqual([expect.stringContaining('jar.db is damaged')]);
  });
});
