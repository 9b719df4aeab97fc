import { afterEach, expect, it, vi } from 'vitest';
import { openJar, type RunningJar } from '../../../src/jar/index.ts';
import { loadConfig } from '../../../src/kernel/config/config.ts';

let running: RunningJar | undefined;

afterEach(async () => {
  vi.restoreAllMocks();
  await running?.close();
  running = undefined;
});

it('in the steady state, to authenticate a call, to check its address and to throttle it reads nothing from the store', async () => {
  const flags = { port: 0, httpsPort: 0, smtpPort: 0, clock: 'virtual', engine: 'simulated', memory: true };
  running = await openJar({ config: loadConfig({ flags, env: {}, cwd: '/' }), inProcess: true });
  const { url, adminKey, jar } = running;
  const send = async (method: string, path: string, bearer: string, body?: object) => {
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    const text = await answer.text();
    return (text === '' ? {} : JSON.parse(text)) as Record<string, string>;
  };
  const { access_token: directory = '' } = await send('POST', '/_jar/tokens', adminKey, { user: 'admin' });
  const { token_value: token = '' } = await send('POST', '/api/2.0/token/create', directory, {});
  const list = { label: 'us', list_type: 'ALLOW', ip_addresses: ['127.0.0.0/8'] };
  await send('POST', '/api/2.0/ip-access-lists', directory, list);
  await send('PATCH', '/api/2.0/workspace-conf', directory, { enableIpAccessLists: 'true' });
  // The handler of this operation reads one document, and it is rated.
  const call = (bearer: string) => send('GET', '/api/2.0/secrets/list?scope=s', bearer);
  await send('POST', '/api/2.0/secrets/scopes/create', directory, { scope: 's' });
  for (const bearer of [directory, token]) await call(bearer);
  await running.settled();
  await call(token);

  const reads = (['get', 'query', 'count', 'transact'] as const).map((name) => vi.spyOn(jar.store, name));
  const CALLS = 5;
  for (const bearer of [directory, token]) for (let n = 0; n < CALLS; n++) await call(bearer);
  // One document and one page for each call, all of them the handler's.
  expect(reads.map(({ mock }) => mock.calls.length)).toEqual([2 * CALLS, 2 * CALLS, 0, 0]);
  const read = reads.slice(0, 2).flatMap(({ mock }) => mock.calls.map(([from]) => (from as { name: string }).name));
  expect(new Set(read)).toEqual(new Set(['platform.secret_scopes', 'platform.secrets']));
});
