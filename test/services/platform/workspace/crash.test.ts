import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it, type TestContext } from 'vitest';
import { blobPieces } from '../../../../src/services/platform/blobs/collections.ts';
import { dbfsHandles } from '../../../../src/services/platform/dbfs/collections.ts';
import { writeZip } from '../../../../src/services/platform/notebooks/formats/zip.ts';
import { treeNodes } from '../../../../src/services/platform/tree/collections.ts';
import { SERVICES } from '../../../../src/services.ts';
import { startJar } from '../../../../src/testing/index.ts';
import { temporaryFolder } from '../../../cli/cli.ts';
import { eventually } from '../../../support/eventually.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { usePostgresDatabase } from '../../../support/use-postgres.ts';
import { Repositories } from '../git/support.ts';
import { MortalJar } from '../mortal-jar.ts';

const KILLS = process.env.CLOUDJAR_SOAK === '1' ? 15 : 2;
const API = '/api/2.0';
const MB = 1024 * 1024;
/** More than a checkout writes in one transaction. */
const FILES = 110;

const repositories = new Repositories();
afterAll(() => repositories.remove());
const files = (version: string) =>
  Object.fromEntries(Array.from({ length: FILES }, (_, i) => [`d${i % 7}/f${i}.txt`, `${version} ${i}`]));
repositories.make('project', files('main'));
repositories.git('project', 'checkout', '--quiet', '-b', 'other');
repositories.commit('project', files('other'));
repositories.git('project', 'checkout', '--quiet', 'main');

const digest = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
/** Several pieces long, and larger than a single write. */
const bytesOf = (number: number): Buffer => Buffer.alloc(2 * MB + number, String.fromCharCode(97 + (number % 26)));

/** Acknowledged content by path. */
interface Acknowledged {
  readonly imported: Map<string, string>;
  readonly written: Map<string, string>;
  readonly archives: string[];
  readonly repos: Map<string, number>;
  branch: string;
}

type Step = (number: number) => Promise<boolean>;

/** Calls that are each repeated until the jar dies. */
function stepsOf(jar: MortalJar, done: Acknowledged, archive: string, pulled: number): readonly Step[] {
  const post = (path: string, body: unknown) => jar.send('POST', `${API}${path}`, body);
  const isDone = (answer: { status: number; body: unknown } | undefined): boolean => {
    if (answer) expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
    return answer !== undefined;
  };
  return [
    async (number) => {
      const path = `/Shared/f${number}`;
      const bytes = bytesOf(number);
      if (!isDone(await post(`/workspace-files/import-file${path}`, bytes))) return false;
      done.imported.set(path, digest(bytes));
      return true;
    },
    async (number) => {
      const path = `/up/f${number}`;
      const bytes = bytesOf(number);
      const opened = await post('/dbfs/create', { path });
      if (!isDone(opened)) return false;
      const handle = opened?.body.handle;
      for (let at = 0; at < bytes.length; at += MB) {
        const data = bytes.subarray(at, at + MB).toString('base64');
        if (!isDone(await post('/dbfs/add-block', { handle, data }))) return false;
      }
      if (!isDone(await post('/dbfs/close', { handle }))) return false;
      done.written.set(path, digest(bytes));
      return true;
    },
    async (number) => {
      const path = `/Shared/z${number}`;
      if (!isDone(await post('/workspace/import', { path, content: archive }))) return false;
      done.archives.push(path);
      return true;
    },
    async (number) => {
      const path = `/Shared/r${number}`;
      const answer = await post('/repos', { url: repositories.url('project'), provider: 'gitHub', path });
      if (!isDone(answer)) return false;
      done.repos.set(path, answer?.body.id);
      return true;
    },
    async (number) => {
      const branch = number % 2 === 0 ? 'main' : 'other';
      if (!isDone(await jar.send('PATCH', `${API}/repos/${pulled}`, { branch }))) return false;
      done.branch = branch;
      return true;
    },
  ];
}

/** Directories, and files with their content, below a path. */
async function walk(jar: MortalJar, path: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const { objects = [] } = await jar.need('GET', `${API}/workspace/list?path=${path}`);
  for (const { path: at, object_type: type, size } of objects) {
    if (type !== 'FILE') for (const [name, text] of await walk(jar, at)) found.set(name, text);
    else {
      const text: string = await jar.need('GET', `${API}/workspace/export?path=${at}&direct_download=true`);
      expect(text, at).toHaveLength(size);
      found.set(at, text);
    }
  }
  return found;
}

/** Number of documents of files, read directly from the store. */
async function countsOf(jar: MortalJar, databaseUrl: string | undefined): Promise<readonly number[]> {
  const collections = [treeNodes, blobPieces, dbfsHandles];
  if (databaseUrl === undefined) {
    const db = new DatabaseSync(join(jar.folder, 'jar.db'), { readOnly: true });
    try {
      return collections.map(({ name }) => Number(db.prepare(`SELECT count(*) AS n FROM "c.${name}"`).get()?.n));
    } finally {
      db.close();
    }
  }
  const probe = new JarProbe();
  const secretKey = readFileSync(join(jar.folder, 'secret.key'), 'utf8').trim();
  const other = await startJar({ databaseUrl, secretKey, services: [...SERVICES, probe.service] });
  try {
    return await Promise.all(collections.map((each) => probe.jar.store.count<unknown>(each)));
  } finally {
    await other.close();
  }
}

async function survives(context: TestContext, engine: 'sqlite' | 'postgres'): Promise<void> {
  const databaseUrl = engine === 'postgres' ? await usePostgresDatabase(context, 'killed-files') : undefined;
  const config = join(temporaryFolder(), 'cloudjar.json');
  writeFileSync(config, JSON.stringify({ services: { platform: { gitFolders: [repositories.folder] } } }));
  const database = databaseUrl === undefined ? [] : ['--database-url', databaseUrl];
  const jar = new MortalJar(['--clock', 'virtual', '--config', config, ...database]);
  await jar.start();
  const { value: rates } = await jar.need('GET', '/_jar/limits?name=platform.rate.*&use=0&$top=1000');
  await jar.need(
    'PATCH',
    '/_jar/limits',
    rates.map(({ name }: { name: string }) => ({ name, mode: 'unlimited' })),
  );
  await jar.need('GET', `${API}/workspace/list?path=/`);
  const [homes] = await countsOf(jar, databaseUrl);
  const project = { url: repositories.url('project'), provider: 'gitHub', path: '/Shared/pulled' };
  const { id: pulled } = await jar.need('POST', `${API}/repos`, project);
  const entries = Array.from({ length: 12 }, (_, i) => ({
    name: `top/a${i % 3}/${i}.txt`,
    bytes: Buffer.alloc(9000, 97),
  }));
  const archive = (await writeZip(entries)).toString('base64');
  const done: Acknowledged = {
    imported: new Map(),
    written: new Map(),
    archives: [],
    repos: new Map(),
    branch: 'main',
  };

  let next = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    if (kill > 0) await jar.start();
    const calls = stepsOf(jar, done, archive, pulled);
    const acknowledged = calls.map(() => 0);
    const running = calls.map(async (step, index) => {
      // Numbers are used once: content that was not acknowledged may exist anyway.
      while (await step(next++)) acknowledged[index] = (acknowledged[index] ?? 0) + 1;
    });
    await eventually(() => expect(Math.min(...acknowledged)).toBeGreaterThan(0));
    await jar.kill();
    await Promise.all(running);
  }
  await jar.start();
  // Uploads that were started and never finished are abandoned.
  await jar.need('POST', '/_jar/clock/advance', { by: '3h' });

  const all = await walk(jar, '/Shared');
  const at = (pattern: RegExp) => [...all].filter(([path]) => pattern.test(path));
  for (const [path, hash] of done.imported) expect(digest(all.get(path) ?? ''), path).toBe(hash);
  for (const [path, text] of at(/^\/Shared\/f\d+$/)) expect(text.length, path).toBe(2 * MB + Number(path.slice(9)));
  const sizes = (pattern: RegExp): Map<string, number> => {
    const sums = new Map<string, number>();
    for (const [path] of at(pattern)) {
      const top = path.split('/').slice(0, 3).join('/');
      sums.set(top, (sums.get(top) ?? 0) + 1);
    }
    return sums;
  };
  const archives = sizes(/^\/Shared\/z/);
  expect([...archives.keys()]).toEqual(expect.arrayContaining(done.archives));
  expect(new Set(archives.values())).toEqual(new Set([entries.length]));
  const repos = sizes(/^\/Shared\/(r|pulled)/);
  expect([...repos.keys()]).toEqual(expect.arrayContaining([...done.repos.keys()]));
  expect(new Set(repos.values())).toEqual(new Set([FILES]));
  const { branch } = await jar.need('GET', `${API}/repos/${pulled}`);
  expect(new Set(at(/^\/Shared\/pulled/).map(([, text]) => text.split(' ')[0]))).toEqual(new Set([branch]));
  await jar.need('PATCH', `${API}/repos/${pulled}`, { branch: 'other' });
  await jar.need('PATCH', `${API}/repos/${pulled}`, { branch: 'main' });

  for (const [path, hash] of done.written) {
    const parts: Buffer[] = [];
    for (let offset = 0; ; offset += MB) {
      const { data } = await jar.need('GET', `${API}/dbfs/read?path=${path}&offset=${offset}&length=${MB}`);
      if (data === '') break;
      parts.push(Buffer.from(data, 'base64'));
    }
    expect(digest(Buffer.concat(parts)), path).toBe(hash);
  }

  const { objects } = await jar.need('GET', `${API}/workspace/list?path=/Shared`);
  for (const { path } of objects) await jar.need('POST', `${API}/workspace/delete`, { path, recursive: true });
  await jar.need('POST', `${API}/dbfs/delete`, { path: '/up', recursive: true });
  await jar.need('POST', '/_jar/clock/advance', { by: '3h' });
  await eventually(async () => expect(await countsOf(jar, databaseUrl)).toEqual([homes, 0, 0]));
}

describe('a jar that is killed while files are written', () => {
  it('has whole what it acknowledged, nothing by halves, and no bytes that are nobody’s, on SQLite', (context) =>
    survives(context, 'sqlite'));
  it('has whole what it acknowledged, nothing by halves, and no bytes that are nobody’s, on PostgreSQL', (context) =>
    survives(context, 'postgres'));
});
