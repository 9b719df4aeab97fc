import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { adminKey, type StartedJar, startCli } from '../../cli/cli.ts';
import type { Bench, CallOptions, Reply } from '../../support/jars.ts';
import { usePostgresDatabase } from '../../support/use-postgres.ts';
import { detailsOf, ended, giver, good, makeAccounts, shareContainer, TAKEN, taker } from './support.ts';

const FILES = 200;
const FILE_BYTES = 1024 * 1024;
/** Files that may be copied again after a kill: a batch being written, a waiting batch, and files in flight. */
const MOST_AGAIN = 144;

/** A jar in its own process, which can be killed and restarted. */
class MortalJar {
  #jar: StartedJar | undefined;
  readonly #args: readonly string[];

  constructor(args: readonly string[]) {
    this.#args = args;
  }

  get folder(): string {
    return (this.#jar as StartedJar).folder;
  }

  async start(): Promise<void> {
    this.#jar = await startCli(this.#args, this.#jar ? { folder: this.#jar.folder } : {});
  }

  async kill(): Promise<void> {
    this.#jar?.kill('SIGKILL');
    await this.#jar?.result;
  }

  /** The parts of a bench that the test helpers need. */
  get bench(): Bench {
    const call = async (method: string, path: string, { body, token }: CallOptions = {}): Promise<Reply> => {
      const response = await fetch(path.startsWith('http') ? path : this.#jar?.url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await response.text();
      const { status, headers } = response;
      return { status, headers, text, body: text === '' ? undefined : JSON.parse(text) };
    };
    const token = async ({ user = 'admin' }: { user?: string } = {}): Promise<string> => {
      const asked = { token: adminKey(this.folder), body: { user, ttl: '1d' } };
      return (await good(call('POST', '/_jar/tokens', asked))).access_token;
    };
    return { call, jar: { token } } as unknown as Bench;
  }
}

const hashesOf = async (folder: string): Promise<Record<string, string>> => {
  const names = (await readdir(folder)).sort();
  const hashes = names.map(async (name) => {
    const bytes = await readFile(join(folder, name));
    return [name, createHash('sha256').update(bytes).digest('hex')] as const;
  });
  return Object.fromEntries(await Promise.all(hashes));
};

async function survives(context: TestContext, store: 'sqlite' | 'postgres'): Promise<void> {
  const database = store === 'postgres' ? ['--database-url', await usePostgresDatabase(context, 'killed')] : [];
  const jar = new MortalJar(['--clock', 'virtual', ...database]);
  await jar.start();
  const source = join(jar.folder, 'storage', 'source', 'data');
  const target = join(jar.folder, 'storage', 'target', 'copies');
  await mkdir(source, { recursive: true });
  const content = randomBytes(FILE_BYTES);
  for (let i = 0; i < FILES; i++) {
    content.writeUInt32LE(i, 0);
    await writeFile(join(source, `file-${String(i).padStart(4, '0')}`), content);
  }
  const [give, take] = [await giver(jar.bench), await taker(jar.bench)];
  await makeAccounts(give, take);
  await shareContainer(give, take);
  const { synchronizationId: id } = await good(take('POST', `${TAKEN}/synchronize`), 202);

  const arrived = async (): Promise<string[]> => readdir(target).catch(() => []);
  await expect.poll(async () => (await arrived()).length, { interval: 5 }).toBeGreaterThan(10);
  await jar.kill();
  const before = new Map<string, number>();
  for (const name of await arrived()) before.set(name, (await stat(join(target, name))).mtimeMs);

  await jar.start();
  expect(await ended(take, id)).toMatchObject({ status: 'Succeeded' });
  expect(await hashesOf(target)).toEqual(await hashesOf(source));
  const [detail] = await detailsOf(take, TAKEN, id);
  expect(detail).toMatchObject({ filesRead: FILES, filesWritten: FILES, sizeWritten: FILES * FILE_BYTES });
  const again: string[] = [];
  for (const [name, at] of before) if ((await stat(join(target, name))).mtimeMs !== at) again.push(name);
  expect(again.length).toBeLessThanOrEqual(MOST_AGAIN);
  await good(take('POST', `${TAKEN}/synchronize`), 202);
}

describe('a jar that is killed during a synchronization', () => {
  it('goes on after its restart from what has arrived, on SQLite', (context) => survives(context, 'sqlite'));
  it('goes on after its restart from what has arrived, on PostgreSQL', (context) => survives(context, 'postgres'));
});
