import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openJar, type RunningJar } from '../../../src/jar/index.ts';
import { loadConfig } from '../../../src/kernel/config/config.ts';
import { SUBSCRIPTION } from '../../support/jars.ts';
import { container, groupBody, groupPath } from './small-groups.ts';

const ROUNDS = 10;

test('a jar that is closed while it starts groups continues when it is opened again', async () => {
  const data = mkdtempSync(join(tmpdir(), 'cloudjar-close-'));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  const open = (): Promise<RunningJar> => {
    const flags = { data, port: 0, httpsPort: 0, engine: 'simulated', logLevel: 'silent' };
    return openJar({ config: loadConfig({ flags, env: {}, cwd: data }) });
  };
  const headersOf = async ({ url, adminKey }: RunningJar): Promise<Record<string, string>> => {
    const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
    const answer = await fetch(`${url}/_jar/tokens`, { method: 'POST', headers, body: '{}' });
    const { access_token } = (await answer.json()) as { access_token: string };
    return { ...headers, authorization: `Bearer ${access_token}` };
  };
  const put = async (jar: RunningJar, path: string, body: unknown): Promise<number> => {
    const answer = await fetch(jar.url + path, {
      method: 'PUT',
      headers: await headersOf(jar),
      body: JSON.stringify(body),
    });
    return answer.status;
  };

  const body = groupBody([container('one', 'nginx'), container('two', 'nginx')], {
    initContainers: [{ name: 'first', properties: { image: 'busybox', command: ['true'] } }],
  });
  for (let round = 0; round < ROUNDS; round++) {
    const jar = await open();
    await put(jar, `/subscriptions/${SUBSCRIPTION}/resourcegroups/shop?api-version=2021-04-01`, { location: 'eastus' });
    expect(await put(jar, groupPath(`group-${round}`), body)).toBe(201);
    await jar.close();
  }
  const jar = await open();
  onTestFinished(() => jar.close());
  await jar.settled();
  const headers = await headersOf(jar);
  const list = await fetch(jar.url + groupPath(''), { headers });
  const { value } = (await list.json()) as { value: { properties: { provisioningState: string } }[] };
  expect(value.map(({ properties }) => properties.provisioningState)).toEqual(Array(ROUNDS).fill('Succeeded'));
});
