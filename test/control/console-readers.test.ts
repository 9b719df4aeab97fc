import { expect, test } from 'vitest';
import { startJar } from '../../src/testing/index.ts';
import { type Document, readerOf } from './console-readers-support.ts';

const WRITES = ['post', 'put', 'patch', 'delete'];

/** Scopes that exist in a new jar, so that requests get as far as possible. */
const KNOWN: Readonly<Record<string, string>> = {
  subscriptionId: '10000000-0000-4000-8000-0000000000f1',
  tenant: 'common',
};

test("a reader's token passes no operation of any service that could change something", {
  timeout: 600_000,
}, async () => {
  await using jar = await startJar();
  const { ask, token, document } = await readerOf(jar);
  const passed: string[] = [];
  let refused = 0;
  for (const [template, operations] of Object.entries(document.paths)) {
    if (template.startsWith('/_jar') || template.startsWith('/console')) continue;
    const path = template.replace(/\{(\w+)\*?\}/g, (_, name: string) => KNOWN[name] ?? 'x');
    for (const [method, { operationId, security }] of Object.entries(operations)) {
      if (!WRITES.includes(method) || security?.length === 0) continue;
      const answer = await ask(`${path}?api-version=2021-04-01`, {
        method: method.toUpperCase(),
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{}',
      });
      const text = await answer.text();
      if (answer.status < 300) passed.push(`${operationId}: ${answer.status}`);
      if (text.includes('ReadOnlyToken')) refused += 1;
    }
  }
  expect(passed).toEqual([]);
  // Otherwise the requests failed for another reason, and the test shows nothing.
  expect(refused).toBeGreaterThan(500);
});

test("a reader's token is not exchanged for one that may change something", async () => {
  await using jar = await startJar();
  const { ask, token } = await readerOf(jar);
  const exchanged = (subject_token: string, more: Record<string, string> = {}) =>
    ask('/oidc/v1/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
        scope: 'all-apis',
        subject_token,
        ...more,
      }),
    });
  expect((await exchanged(await jar.token())).status).toBe(200);
  for (const client of ['', '10000000-0000-4000-8000-0000000000a1']) {
    const answer = await exchanged(token, { client_id: client });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('may only read')]);
  }
});

/** Names of members that hold a secret. */
const SECRET = /^(?:key|token|secret|password|activationCode|invitation_token|access_token|sas\w*)$/;
const NO_SECRETS = new Set([
  // The key of a document; secret values are withheld.
  '/_jar/snapshots/compare',
  // The key of an advanced filter.
  '/_jar/events/subscriptions',
  '/_jar/events/subscriptions/{id}',
]);

test('a reader gets no secret: neither from the control API nor, with a token, from a service', async () => {
  await using jar = await startJar();
  const { ask, cookie, token, document } = await readerOf(jar);
  const suspected = Object.entries(document.paths).filter(
    ([path, { get }]) =>
      path.startsWith('/_jar') &&
      !NO_SECRETS.has(path) &&
      membersOf(document, get?.responses?.[200]).some((name) => SECRET.test(name)),
  );
  const refused = suspected.map(([path]) => path).sort();
  expect(refused).toEqual(expect.arrayContaining(['/_jar/events/relay', '/_jar/translator/keys/{name}']));
  for (const path of [...refused, '/_jar/snapshots/{name}/content']) {
    const answer = await ask(path.replaceAll(/\{\w+\}/g, 'default'), { headers: { cookie } });
    expect([path, answer.status, await answer.text()]).toEqual([path, 403, expect.stringContaining('ReadersMayNot')]);
  }

  const admin = { authorization: `Bearer ${await jar.token()}` };
  const put = (path: string, body: object) =>
    ask(`/api/2.0/secrets/${path}`, { method: 'POST', headers: admin, body: JSON.stringify(body) });
  expect((await put('scopes/create', { scope: 's' })).status).toBe(200);
  expect((await put('put', { scope: 's', key: 'k', string_value: 'confidential' })).status).toBe(200);
  const read = (path: string, headers: Record<string, string>) => ask(`/api/2.0/secrets/${path}`, { headers });
  const reader = { authorization: `Bearer ${token}` };
  expect((await read('get?scope=s&key=k', admin)).status).toBe(200);
  expect((await read('list?scope=s', reader)).status).toBe(200);
  const answer = await read('get?scope=s&key=k', reader);
  expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('ReadOnlyToken')]);
});

/** The names of all members of a response. */
function membersOf(document: Document, part: unknown, left = 12): string[] {
  if (typeof part !== 'object' || part === null || left === 0) return [];
  if ('$ref' in part) return membersOf(document, at(document, String(part.$ref)), left - 1);
  const own = 'properties' in part ? Object.keys(Object(part.properties)) : [];
  return [...own, ...Object.values(part).flatMap((each) => membersOf(document, each, left - 1))];
}

const at = (document: Document, ref: string): unknown =>
  ref
    .split('/')
    .slice(1)
    .reduce<unknown>((part, name) => Object(part)[name], document);
