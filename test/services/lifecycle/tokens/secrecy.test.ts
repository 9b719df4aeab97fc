import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { newSecret, sameProof, secretHashOf } from '../../../../src/services/lifecycle/access/secrets.ts';
import { startCli, temporaryFolder } from '../../../cli/cli.ts';
import { altered } from '../../../support/altered.ts';

it('no secret of a token is in the log, in an error, in the files of the jar or in a snapshot', async () => {
  const folder = temporaryFolder();
  const adminKey = 'admin-key-of-this-test';
  const jar = await startCli(['--data', folder, '--log-level', 'trace'], { env: { CLOUDJAR_ADMIN_KEY: adminKey } });
  const admin = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
  const keys = await fetch(`${jar.url}/_jar/keys`, { headers: admin });
  const { lifecycle: seeded } = (await keys.json()) as { lifecycle: string };
  const ask = (token: string, method: string, path: string, body?: string) =>
    fetch(`${jar.url}/v0.1${path}`, {
      method,
      headers: { 'x-api-token': token, 'content-type': 'application/json' },
      body: body ?? null,
    });
  const made = (await (await ask(seeded, 'POST', '/api_tokens', '{}')).json()) as { api_token: string };
  const secrets = [seeded, made.api_token];
  const answers = [
    await ask(made.api_token, 'GET', '/api_tokens'),
    await ask(made.api_token, 'GET', '/apps/nobody/nothing'),
    await ask(made.api_token, 'POST', '/api_tokens', '{'),
    await ask(`${made.api_token}x`, 'GET', '/api_tokens'),
  ];
  const said = await Promise.all(answers.map((answer) => answer.text()));
  const saved = await fetch(`${jar.url}/_jar/snapshots/all`, { method: 'PUT', headers: admin });
  expect(saved.status).toBe(201);
  const snapshot = await fetch(`${jar.url}/_jar/snapshots/all/content`, { headers: admin });
  const content = gunzipSync(Buffer.from(await snapshot.arrayBuffer())).toString('latin1');
  expect(content).toContain('lifecycle.tokens');
  said.push(content, await (await fetch(`${jar.url}/_jar/metrics`, { headers: admin })).text());
  jar.kill('SIGTERM');
  const { stderr, stdout } = await jar.result;
  expect(stderr).toContain('Lifecycle_userApiTokens_list');
  said.push(stderr, stdout);
  for (const name of await readdir(folder)) said.push(await readFile(join(folder, name), 'latin1'));
  for (const text of said) for (const secret of secrets) expect(text.includes(secret)).toBe(false);
});

it('a secret is kept as two halves of its hash, of which one finds it and the other proves it', () => {
  const secret = newSecret();
  const { id, proof } = secretHashOf(secret);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(proof).toMatch(/^[0-9a-f]{32}$/);
  expect(secretHashOf(secret)).toEqual({ id, proof });
  expect(sameProof(proof, secretHashOf(secret).proof)).toBe(true);
  expect(sameProof(proof, altered(proof))).toBe(false);
  expect(sameProof(proof, proof.slice(1))).toBe(false);
});
