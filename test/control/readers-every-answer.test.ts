import { expect, test } from 'vitest';
import { startJar, type TestJar } from '../../src/testing/index.ts';
import { SUBSCRIPTION } from '../support/jars.ts';
import { readerOf } from './console-readers-support.ts';

const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/shop`;
const TOPIC = `${GROUP}/providers/Vendor.EventGrid/topics/orders`;

interface Answer {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many APIs
  readonly body: any;
}

async function call(jar: TestJar, method: string, path: string, headers: object, body?: unknown): Promise<Answer> {
  const answer = await fetch(`${jar.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
}

test('a reader finds no invitation, no consent of a receiver and no activation link in any answer of the control API', async () => {
  await using jar = await startJar();
  const admin = { authorization: `Bearer ${jar.adminKey}` };
  const user = { authorization: `Bearer ${await jar.token()}` };
  const { lifecycle } = await jar.keys();
  const token = { 'x-api-token': lifecycle };
  const app = { display_name: 'Phone', name: 'phone', os: 'Android', platform: 'Java' };
  expect((await call(jar, 'POST', '/v0.1/apps', token, app)).status).toBe(201);
  const invited = await call(jar, 'POST', '/v0.1/apps/admin/phone/invitations', token, { user_email: 'x@y.example' });
  expect(invited.status).toBeLessThan(300);
  const [invitation] = (await call(jar, 'GET', '/_jar/lifecycle/invitations', admin)).body.value;

  await call(jar, 'PUT', `${GROUP}?api-version=2021-04-01`, user, { location: 'westus' });
  await call(jar, 'PUT', `${TOPIC}?api-version=2022-06-15`, user, { location: 'westus' });
  await jar.settled();
  const receiver = jar.inbox('receiver');
  const destination = { endpointType: 'WebHook', properties: { endpointUrl: receiver.url } };
  const subscription = `${TOPIC}/providers/Vendor.EventGrid/eventSubscriptions/one`;
  await call(jar, 'PUT', `${subscription}?api-version=2022-06-15`, user, { properties: { destination } });
  await jar.settled();
  const kept = await call(jar, 'GET', '/_jar/inbox/receiver/requests', admin);
  const [{ data }] = JSON.parse(kept.body.value[0].body);

  const recipient = { name: 'partner', authentication_type: 'TOKEN' };
  const made = await call(jar, 'POST', '/api/2.1/unity-catalog/recipients', user, recipient);
  const [{ activation_url }] = made.body.tokens;

  const secrets = {
    invitation: invitation.invitation_token,
    code: data.validationCode,
    address: new URL(data.validationUrl).searchParams.get('token') ?? data.validationUrl,
    activation: new URL(activation_url).search.slice(1),
  };
  for (const [name, secret] of Object.entries(secrets))
    expect([name, secret]).toEqual([name, expect.stringMatching(/.{8}/)]);
  await call(jar, 'PUT', '/_jar/snapshots/empty', admin);

  const { cookie, document } = await readerOf(jar);
  const lists = Object.entries(document.paths).flatMap(([path, { get }]) =>
    path.startsWith('/_jar') &&
    get &&
    !path.includes('{') &&
    !JSON.stringify(get.responses).includes('text/event-stream')
      ? [path]
      : [],
  );
  const itemsOf = async (path: string): Promise<string[]> => {
    const { body } = await call(jar, 'GET', `${path}?$top=200`, admin);
    const items: { id?: string; name?: string }[] = body.value ?? [];
    return items.map(({ id, name }) => `${path}/${encodeURIComponent(id ?? String(name))}`);
  };
  const paths = [
    ...lists,
    '/_jar/clock/preview?by=40d',
    '/_jar/snapshots/compare?from=empty',
    '/_jar/inbox/receiver/requests',
    '/_jar/inbox/receiver/requests/1',
    ...(
      await Promise.all(lists.filter((path) => ONE.some((one) => document.paths[path + one]?.get)).map(itemsOf))
    ).flat(),
  ];
  const found: string[] = [];
  for (const path of paths) {
    const { status, text } = await call(jar, 'GET', path, { cookie });
    expect([path, status]).toEqual([path, expect.not.toSatisfy((each: number) => each >= 500)]);
    for (const [name, secret] of Object.entries(secrets)) if (text.includes(secret)) found.push(`${path}: ${name}`);
  }
  expect(found).toEqual([]);
  // Lists of due work are searched in the store: an id that contained the secret could be guessed character by character.
  const guess = `contains(id,'${secrets.invitation.slice(0, 4)}')`;
  const guessed = await call(jar, 'GET', `/_jar/work?$filter=${encodeURIComponent(guess)}`, { cookie });
  expect(guessed.body.value).toEqual([]);
});

/** What an item of a list is addressed by. */
const ONE = ['/{id}', '/{name}'];

test('a refused write of a reader is refused again when it is sent again with a fresh token', async () => {
  await using jar = await startJar();
  const admin = { authorization: `Bearer ${jar.adminKey}` };
  await call(
    jar,
    'PUT',
    `${GROUP}?api-version=2021-04-01`,
    { authorization: `Bearer ${await jar.token()}` },
    {
      location: 'westus',
    },
  );
  const { token } = await readerOf(jar);
  const path = `${GROUP}?api-version=2021-04-01`;
  expect((await call(jar, 'DELETE', path, { authorization: `Bearer ${token}` })).status).toBe(403);
  const listed = await call(jar, 'GET', "/_jar/requests?$filter=method%20eq%20'DELETE'", admin);
  const [{ id }] = listed.body.value;
  const again = await call(jar, 'POST', `/_jar/requests/${id}/send`, admin, { token: 'fresh' });
  expect([again.status, again.body.status]).toEqual([200, 403]);
});
