import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openJar, type RunningJar } from '../../../../src/jar/index.ts';
import { loadConfig } from '../../../../src/kernel/config/config.ts';

const vehicle = {
  entityName: 'vehicle',
  entitySetName: 'vehicles',
  table: { number: 50100, key: 'plate', fields: { plate: 'string' } },
};
const fleet = { publisher: 'contoso', group: 'fleet', version: 'v1.0', entities: [vehicle] };

/** A jar on the same folder, with these custom APIs. */
async function open(data: string, customApis: readonly object[]): Promise<RunningJar> {
  const flags = { port: 0, httpsPort: 0, clock: 'virtual', engine: 'simulated', data };
  const services = { business: { customApis } } as never;
  const running = await openJar({ config: loadConfig({ flags, env: {}, cwd: '/', services }), logLevel: 'error' });
  onTestFinished(() => running.close());
  return running;
}

async function call({ url }: RunningJar, key: string, method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(url + path, { method, headers, body: body ? JSON.stringify(body) : null });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
}

it('a subscription to an entity that is no longer configured is removed at its next notification', async () => {
  const data = mkdtempSync(join(tmpdir(), 'cloudjar-obsolete-'));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  const before = await open(data, [fleet]);
  const { adminKey } = before;
  const token = (await call(before, adminKey, 'POST', '/_jar/tokens', { ttl: '365d' })).body.access_token;
  const company = (await call(before, token, 'GET', '/api/v2.0/companies')).body.value[0].id;
  const resource = `/api/contoso/fleet/v1.0/companies(${company})/vehicles`;
  const notificationUrl = `${before.httpsUrl}/_jar/inbox/fleet`;
  const made = await call(before, token, 'POST', '/api/contoso/fleet/v1.0/subscriptions', {
    notificationUrl,
    resource,
  });
  expect([made.status, made.body]).toEqual([201, expect.anything()]);
  expect((await call(before, token, 'POST', resource, { plate: 'A1' })).status).toBe(201);
  await before.close();

  const after = await open(data, []);
  await after.advance('30s');
  const { body } = await call(after, adminKey, 'GET', `/_jar/business/subscriptions/${made.body.subscriptionId}`);
  expect(body).toMatchObject({ state: 'removed', reason: 'obsolete' });
  expect(body.detail).toContain("'contoso/fleet/v1.0/vehicles'");
  expect((await call(after, adminKey, 'GET', '/_jar/deliveries?policy=business.webhook')).body.value).toEqual([]);
});
