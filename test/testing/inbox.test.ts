import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startJar, type TestJar } from '../../src/testing/index.ts';
import { usePostgresDatabase } from '../support/use-postgres.ts';

let jar: TestJar;
beforeAll(async () => {
  jar = await startJar();
});
afterAll(() => jar.close());

const post = (url: string, body?: object): Promise<Response> =>
  fetch(url, { method: 'POST', body: body === undefined ? null : JSON.stringify(body) });

describe('jar.inbox(name)', () => {
  it('has an address for each door, and shows what came', async () => {
    const inbox = jar.inbox('first');
    expect(inbox.url).toBe(`${jar.url}/_jar/inbox/first`);
    expect(inbox.httpsUrl).toBe(`${jar.httpsUrl}/_jar/inbox/first`);
    await post(inbox.url, { n: 1 });
    const [request] = await inbox.requests();
    expect(request).toMatchObject({ id: '1', method: 'POST', headers: { host: new URL(jar.url).host } });
    expect(request?.json()).toEqual({ n: 1 });
  });

  it('gives each request once, in order, those that came and those that are to come', async () => {
    const inbox = jar.inbox('next');
    await post(inbox.url, { n: 1 });
    const waiting = [inbox.next(), inbox.next()];
    await post(inbox.url, { n: 2 });
    expect((await Promise.all(waiting)).map((request) => request.json().n).sort()).toEqual([1, 2]);
    const third = inbox.next();
    await post(inbox.url, { n: 3 });
    expect((await third).json()).toEqual({ n: 3 });
  });

  it('gives what comes after a reset, and is the same however often it is asked for', async () => {
    await post(jar.inbox('again').url, { n: 1 });
    expect((await jar.inbox('again').next()).id).toBe('1');
    await jar.reset();
    await post(jar.inbox('again').url, { n: 2 });
    expect((await jar.inbox('again').next()).json()).toEqual({ n: 2 });
    await expect(jar.inbox('again').next(undefined, { timeoutMs: 10 })).rejects.toThrow('it has 1');
  });

  it('returns requests again after a restore if they were not returned before the snapshot', async () => {
    const inbox = jar.inbox('restored');
    for (const n of [1, 2]) await post(inbox.url, { n });
    expect((await inbox.next()).json()).toEqual({ n: 1 });
    await jar.snapshot('one-given');
    for (let time = 0; time < 2; time++) {
      expect((await inbox.next()).json()).toEqual({ n: 2 });
      await jar.restore('one-given');
    }
  });

  it('leaves what a predicate refuses for later, and handshakes for predicates', async () => {
    const inbox = jar.inbox('choosy');
    await post(`${inbox.url}?validationToken=t`);
    for (const n of [1, 2, 3]) await post(inbox.url, { n });
    expect((await inbox.next((request) => request.body.includes('3'))).json().n).toBe(3);
    expect((await inbox.next()).json().n).toBe(1);
    expect((await inbox.next(({ handshake }) => handshake !== null)).query).toEqual({ validationToken: 't' });
    expect((await inbox.next()).json().n).toBe(2);
  });

  it('says what it has when nothing fitting comes', async () => {
    const inbox = jar.inbox('silent');
    await expect(inbox.next(undefined, { timeoutMs: 10 })).rejects.toThrow('it received no requests at all');
    await post(`${inbox.url}/x`);
    await expect(inbox.next(() => false, { timeoutMs: 10 })).rejects.toThrow(
      "the inbox 'silent' received no matching request within 10 ms; it has 1, the last ones are POST /_jar/inbox/silent/x (answered 200)",
    );
  });

  it('answers as it is told, fails as often as it is told, and forgets', async () => {
    const inbox = jar.inbox('told');
    await inbox.respond({ status: 202, body: 'later' });
    await inbox.failTimes(2, 500);
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await post(inbox.url)).status);
    expect(statuses).toEqual([500, 500, 202]);
    await inbox.failTimes(1);
    expect((await post(inbox.url)).status).toBe(503);
    expect(await (await post(inbox.url)).text()).toBe('later');
    await inbox.clear();
    expect(await inbox.requests()).toEqual([]);
    expect((await post(inbox.url)).status).toBe(202);
    await inbox.respond({});
    expect((await post(inbox.url)).status).toBe(200);
  });

  it('refuses a name or a behaviour that cannot be', async () => {
    expect(() => jar.inbox('a/b')).toThrow('is not a valid name of an inbox');
    await expect(jar.inbox('x').respond({ headers: { a: 'b\nc' } })).rejects.toThrow('line break');
  });
});

it('an inbox is one among all nodes on a database', async (context) => {
  const databaseUrl = await usePostgresDatabase(context, 'inbox_nodes');
  const secretKey = Buffer.alloc(32, 9).toString('base64url');
  const nodes = await Promise.all([1, 2].map(() => startJar({ databaseUrl, secretKey })));
  const [one, two] = nodes as [TestJar, TestJar];
  try {
    const waiting = one.inbox('shared').next();
    await post(two.inbox('shared').url, { n: 0 });
    expect((await waiting).json()).toEqual({ n: 0 });
    await one.inbox('shared').failTimes(3, 500);
    const sent = await Promise.all(Array.from({ length: 20 }, (_, i) => post(nodes[i % 2]!.inbox('shared').url)));
    expect(sent.filter(({ status }) => status === 500)).toHaveLength(3);
    const ids = (await two.inbox('shared').requests()).map(({ id }) => Number(id));
    expect(ids).toEqual(Array.from({ length: 21 }, (_, i) => i + 1));
  } finally {
    await Promise.all(nodes.map((node) => node.close()));
  }
});
