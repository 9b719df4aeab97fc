import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { adminKey, type StartedJar, startCli } from '../../../cli/cli.ts';
import { startReceiver } from '../../../kernel/delivery/receivers.ts';
import { usePostgresDatabase } from '../../../support/use-postgres.ts';

const KILLS = process.env.CLOUDJAR_SOAK === '1' ? 10 : 2;
const DRAFTS = 5;

/** A receiver that accepts handshakes, rejects everything while it is down, and otherwise records the ids of notifications. */
async function openReceiver() {
  const ids = new Set<string>();
  const state = { isDown: true };
  const receiver = await startReceiver(({ path, body }, response) => {
    const token = new URL(path, 'http://any').searchParams.get('validationToken');
    if (token !== null) return void response.setHeader('content-type', 'text/plain').end(token);
    if (!state.isDown) for (const { resourceData } of JSON.parse(body).value) ids.add(resourceData.id);
    response.writeHead(state.isDown ? 503 : 202).end();
  });
  onTestFinished(() => receiver.close());
  return { url: receiver.url, ids, state };
}

async function survives(context: TestContext, engine: 'sqlite' | 'postgres'): Promise<void> {
  const database = engine === 'postgres' ? ['--database-url', await usePostgresDatabase(context, 'killed')] : [];
  const args = ['--clock', 'virtual', '--allow-http-loopback', ...database];
  let jar: StartedJar = await startCli(args);
  onTestFinished(() => void jar.kill('SIGKILL'));
  const call = async (method: string, path: string, body: unknown, token: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(jar.url + path, { method, headers, body: JSON.stringify(body) });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const control = (path: string, body: object) => call('POST', `/_jar/${path}`, body, adminKey(jar.folder));
  const token = (await control('tokens', { ttl: '365d' })).body.access_token;
  const { url, ids, state } = await openReceiver();
  const subscription = {
    changeType: 'created',
    notificationUrl: url,
    resource: 'me/messages',
    expirationDateTime: new Date(Date.now() + 5 * 86_400_000).toISOString(),
  };
  expect((await call('POST', '/v1.0/subscriptions', subscription, token)).status).toBe(201);
  const acknowledged: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    for (let draft = 0; draft < DRAFTS; draft++) {
      const { status, body } = await call('POST', '/v1.0/me/messages', { subject: 'x' }, token);
      expect(status).toBe(201);
      acknowledged.push(body.id);
    }
    jar.kill('SIGKILL');
    await jar.result;
    jar = await startCli(args, { folder: jar.folder });
  }
  state.isDown = false;
  await control('clock/advance', { by: '30m' });
  await expect.poll(() => acknowledged.filter((id) => !ids.has(id)), { timeout: 60_000 }).toEqual([]);
}

describe('a jar that is killed between a change and its notification', () => {
  it('notifies of every change that it acknowledged, on SQLite', (context) => survives(context, 'sqlite'));
  it('notifies of every change that it acknowledged, on PostgreSQL', (context) => survives(context, 'postgres'));
});
