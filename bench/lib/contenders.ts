import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../../scripts/lib/node-flags.mjs';
import { type ServerProcess, startServer } from './server-process.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The program in baseline/documents.mjs on a database in this folder. */
export function startBare(folder: string, env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  mkdirSync(folder, { recursive: true });
  return startServer({
    args: [join(root, 'bench/baseline/documents.mjs'), join(folder, 'docs.db')],
    cwd: folder,
    env,
    ready: /ready on (http:\S+)/,
  });
}

export interface JarProcess extends ServerProcess {
  /** A bearer token of the seeded administrator, valid for a year. */
  token(): Promise<string>;
  /** Changes limits that would otherwise stop a load. */
  changeLimits(changes: unknown): Promise<void>;
}

/** The jar, started by its command on a data folder. */
export async function startJarProcess(folder: string, flags: readonly string[] = []): Promise<JarProcess> {
  mkdirSync(folder, { recursive: true });
  const data = join(folder, 'data');
  const cli = join(root, 'bin/cloudjar.mjs');
  const server = await startServer({
    args: [...NODE_FLAGS, cli, 'start', '--port', '0', '--https-port', '0', '--data', data, ...flags],
    cwd: folder,
    ready: /cloudjar ready on (http:\S+)/,
  });
  const adminKey = (): string => readFileSync(join(data, 'admin.key'), 'utf8').trim();
  return {
    ...server,
    token: () => issueToken(server.url, adminKey()),
    changeLimits: (changes) => changeLimits(server.url, adminKey(), changes),
  };
}

async function changeLimits(url: string, adminKey: string, changes: unknown): Promise<void> {
  const response = await fetch(`${url}/_jar/limits`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(changes),
  });
  if (!response.ok) throw new Error(`the jar did not change its limits: ${response.status} ${await response.text()}`);
}

async function issueToken(url: string, adminKey: string): Promise<string> {
  const response = await fetch(`${url}/_jar/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ttl: '365d' }),
  });
  const answer = (await response.json()) as { access_token?: string };
  if (answer.access_token === undefined) throw new Error(`the jar gave no token: ${response.status}`);
  return answer.access_token;
}

/** Azurite's blob service. It accepts a port but does not pick a free one. */
export async function startAzurite(folder: string): Promise<ServerProcess> {
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const main = join(root, 'bench/node_modules/azurite/dist/src/blob/main.js');
  return startServer({
    args: [
      main,
      '--blobHost',
      '127.0.0.1',
      '--blobPort',
      String(port),
      '--location',
      folder,
      '--silent',
      '--disableTelemetry',
    ],
    cwd: folder,
    ready: /successfully listens on (http:\S+)/,
  });
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
