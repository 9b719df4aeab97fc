import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { startJar as StartJar } from '../src/testing/index.ts';
import { useEmptyDatabase } from './support/use-postgres.ts';

/** Users run the bundle in dist/; this test checks that it is complete. */

const dist = (name: string): string => fileURLToPath(new URL(`../dist/${name}`, import.meta.url));

it('the bundled command starts, logs, issues tokens and stops', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cloudjar-bundle-'));
  const child = spawn(
    process.execPath,
    [dist('cli.js'), 'start', '--data', folder, '--port', '0', '--https-port', '0'],
    {
      env: { PATH: process.env.PATH, CLOUDJAR_ADMIN_KEY: 'the-admin-key' },
    },
  );
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let out = '';
      child.stdout.on('data', (chunk) => {
        out += chunk;
        const ready = /cloudjar ready on (\S+)/.exec(out);
        if (ready?.[1]) resolve(ready[1]);
      });
      child.on('exit', () => reject(new Error(`it ended: ${log}`)));
    });
    const response = await fetch(`${url}/_jar/tokens`, {
      method: 'POST',
      headers: { authorization: 'Bearer the-admin-key' },
    });
    const { access_token: token } = (await response.json()) as { access_token: string };
    const list = await fetch(`${url}/subscriptions?api-version=2022-12-01`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(list.status).toBe(200);
    const ended = new Promise((resolve) => child.on('exit', resolve));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    const lines = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { level: string; operation?: string });
    expect(lines.map(({ level }) => level)).not.toContain('error');
    expect(lines.some(({ operation }) => operation === 'Jar_IssueToken')).toBe(true);
  } finally {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
});

it('the bundled cloudjar/testing starts jars in memory and on PostgreSQL', async ({ skip }) => {
  const { startJar } = (await import(dist('testing.js'))) as { startJar: typeof StartJar };
  for (const databaseUrl of [undefined, await useEmptyDatabase({ skip }, 'bundle')]) {
    await using jar = await startJar({ databaseUrl });
    const headers = { authorization: `Bearer ${await jar.token()}` };
    expect((await fetch(`${jar.url}/subscriptions?api-version=2022-12-01`, { headers })).status).toBe(200);
    expect((await jar.clock.advance('1h')).fired).toBe(0);
  }
});
