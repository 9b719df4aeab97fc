import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openJar, type RunningJar } from '../../../../src/jar/index.ts';
import { loadConfig } from '../../../../src/kernel/config/config.ts';

const AT = '/subscriptions/10000000-0000-4000-8000-0000000000f1/providers/Vendor.EventGrid/eventSubscriptions';

let jar: RunningJar;

beforeAll(async () => {
  const flags = { memory: true, port: 0, httpsPort: 0, clock: 'virtual' };
  jar = await openJar({ config: loadConfig({ flags, env: {}, cwd: '/' }), inProcess: true });
});
afterAll(() => jar.close());

async function call(method: string, path: string, token: string, body?: unknown) {
  const response = await fetch(jar.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return response.json();
}

it.each([
  ['waits', { handshake: 'manual' }, "no events yet: 200 without a 'validationResponse'"],
  ['refuses', { handshake: 'refuse' }, 'not delivered to http://ADDRESS, dropped: '],
])(
  'an endpoint that %s is a warning in the log, without what is secret in its address',
  async (name, behaviour, line) => {
    const warn = vi.spyOn(jar.jar.log, 'warn');
    const { access_token: token } = (await call('POST', '/_jar/tokens', jar.adminKey, {})) as { access_token: string };
    await call('PUT', `/_jar/inbox/${name}/behaviour`, jar.adminKey, behaviour);
    const address = `${jar.url}/_jar/inbox/${name}`;
    const destination = { endpointType: 'WebHook', properties: { endpointUrl: `${address}?code=hidden` } };
    await call('PUT', `${AT}/${name}?api-version=2025-02-15`, token, { properties: { destination } });
    await jar.advance('5s');
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0]?.[1]).toContain(line.replace('http://ADDRESS', address));
    expect(JSON.stringify(warn.mock.calls)).toMatch(new RegExp(`eventSubscriptions/${name}"`, 'i'));
    expect(JSON.stringify(warn.mock.calls)).not.toContain('hidden');
    warn.mockRestore();
  },
);
