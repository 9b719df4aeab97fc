import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { adminKey, spawnCli, startCli } from './cli.ts';

const SECRET = 's3cretMarker';

/** All places in which clients of these APIs send a secret. */
const HEADERS: readonly (readonly [string, string])[] = [
  ['authorization', `Bearer ${SECRET}`],
  ['authorization', `Basic ${SECRET}`],
  ['authorization', `SharedAccessSignature r=x&e=y&s=${SECRET}`],
  ['ocp-apim-subscription-key', SECRET],
  ['x-api-token', SECRET],
  ['aeg-sas-key', SECRET],
  ['aeg-sas-token', `r=x&e=y&s=${SECRET}`],
  ['cookie', `session=${SECRET}`],
  ['x-ms-authorization-auxiliary', `Bearer ${SECRET}`],
  ['x-ms-client-request-id', `Bearer ${SECRET}`],
  ['traceparent', `token=${SECRET}`],
];
const PARAMETERS = [
  ...[
    'sig',
    'code',
    'access_token',
    'token',
    'key',
    'api_key',
    'password',
    'client_secret',
    'refresh_token',
    'id_token',
  ],
  ...['SIG', 'Access-Token', 'sharedAccessSignature', 'aeg-sas-key', 'subscription-key', 'c%6fde', 'code%5B%5D'],
];
const PATHS = [
  ...['/subscriptions', '/detect', '/v0.1/apps', '/v1.0/me', '/api/v2.0/companies', '/_jar/users', '/nowhere', '/'],
  ...['/common/oauth2/v2.0/authorize', '/_jar/inbox/box'],
];
/** Addresses that are credentials themselves. */
const LINKS = [`/api/2.0/sql/external-links/${SECRET}`, `/v0.1/public/exports/${SECRET}`];

it.each(['json', 'pretty'])(
  'a secret of a client is in no line of the log (%s), of tail, of the list or of the stream',
  async (format) => {
    const jar = await startCli(['--memory', '--log-level', 'trace', '--log-format', format]);
    const headers = { authorization: `Bearer ${adminKey(jar.folder)}` };
    const tail = spawnCli(['tail', '--data', jar.folder]);
    const live = spawnCli(['tail', '--data', jar.folder, '--json']);
    await eventually(() => expect(tail.stderr() && live.stderr()).toContain('listening'));
    const ask = (path: string, init: RequestInit = {}) => fetch(jar.url + path, { redirect: 'manual', ...init });
    for (const path of PATHS) {
      for (const [name, value] of HEADERS) await ask(path, { headers: { [name]: value } });
      await ask(`${path}?${PARAMETERS.map((name) => `${name}=${SECRET}`).join('&')}`);
      await ask(`${path}?back=${encodeURIComponent(`https://me:${SECRET}@host/?sig=${SECRET}&code=${SECRET}`)}`);
      const body = new URLSearchParams({ grant_type: 'password', username: 'admin', password: SECRET });
      await ask(path, { method: 'POST', body });
      await ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ password: SECRET, data: SECRET }),
      });
    }
    for (const link of LINKS) await ask(link);
    const long = `/long?${'a=b&'.repeat(600)}sig=${SECRET}`;
    await ask(long);
    await ask('/_jar/health');
    await ask('/the-end');

    await eventually(() => expect(tail.stdout()).toContain('/the-end'));
    await eventually(() => expect(live.stdout()).toContain('/the-end'));
    await eventually(() => expect(jar.stderr()).toContain('/the-end'));
    const list = await (await ask('/_jar/requests?$top=1000', { headers })).text();
    expect(list).toContain('/the-end');
    // The value of a member that is not a secret.
    const openMember = JSON.stringify(`"data":"${SECRET}"`).slice(1, -1);
    let details = '';
    for (const { id } of JSON.parse(list).value) {
      details += `${(await (await ask(`/_jar/requests/${id}`, { headers })).text()).replaceAll(openMember, '')}\n`;
    }
    expect(details.match(/"request":/g)?.length).toBeGreaterThan(PATHS.length * HEADERS.length);
    const places = { log: jar.stderr(), tail: tail.stdout(), live: live.stdout(), list, details };
    for (const [where, text] of Object.entries(places)) {
      const line = text.split('\n').find((each) => each.includes(SECRET)) ?? '';
      expect([where, line.slice(Math.max(0, line.indexOf(SECRET) - 200), line.indexOf(SECRET) + 40)]).toEqual([
        where,
        '',
      ]);
    }
    const shown = format === 'json' ? '"msg":"GET /_jar/health 200"' : '  GET     200  /_jar/health  control  ';
    expect(jar.stderr()).toContain(shown);
    // Everything that is not secret is logged.
    expect(live.stdout().split('\n').length).toBeGreaterThan(PATHS.length * HEADERS.length);
  },
);

it('writes a line for every request at the default level, and none at warn', async () => {
  const [info, warn] = await Promise.all([startCli(['--memory']), startCli(['--memory', '--log-level', 'warn'])]);
  for (const { url } of [warn, info]) {
    await fetch(`${url}/languages?api-version=3.0`);
    await fetch(`${url}/_jar/health`);
    await fetch(`${url}/the-end`);
  }
  await eventually(() => expect(info.stderr()).toContain('/the-end'));
  const messages = info
    .stderr()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg);
  expect(messages).toEqual(['GET /languages?api-version=3.0 200', 'GET /the-end 404']);
  expect(warn.stderr()).toBe('');
});
