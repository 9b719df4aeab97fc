import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openJar, type RunningJar } from '../../src/jar/index.ts';
import { loadConfig } from '../../src/kernel/config/config.ts';
import { deliveries } from '../../src/kernel/delivery/records.ts';
import { usePostgresDatabase } from '../support/use-postgres.ts';

/**
 * One dialect for all lists, on both stores. This file covers the expressions; `list-properties.test.ts` covers every list with every
 * property.
 */
interface ListCase {
  readonly path: string;
  /** Identifies an item in the assertions. */
  readonly id: (item: Item) => string;
  /** A property with different values, to order by. */
  readonly order: string;
  readonly value: (item: Item) => unknown;
  /** A filter that matches some items, and the same condition as a function. */
  readonly filter: string;
  readonly matches: (item: Item) => boolean;
  /** Minimum number of items. */
  readonly least: number;
}

// biome-ignore lint/suspicious/noExplicitAny: items of every shape are looked into
type Item = any;

const byId = ({ id }: Item): string => id;
const byName = ({ name }: Item): string => name;

const CASES: readonly ListCase[] = [
  {
    path: 'users',
    id: byId,
    order: 'displayName',
    value: ({ displayName }) => displayName,
    filter: "startswith(displayName, 'Person') and alias ne 'person-2'",
    matches: ({ displayName, alias }) => displayName.startsWith('Person') && alias !== 'person-2',
    least: 9,
  },
  {
    path: 'applications',
    id: byId,
    order: 'alias',
    value: ({ alias }) => alias.toLowerCase(),
    filter: "redirectUris/any(uri: startswith(uri, 'https://app-1'))",
    matches: ({ redirectUris }) => redirectUris.some((uri: string) => uri.startsWith('https://app-1')),
    least: 5,
  },
  {
    path: 'limits',
    id: byName,
    order: 'title',
    value: ({ title }) => title,
    filter: "kind eq 'quota' and service eq 'resources'",
    matches: ({ kind, service }) => kind === 'quota' && service === 'resources',
    least: 20,
  },
  {
    path: 'faults',
    id: byId,
    order: 'effect/status',
    value: ({ effect }) => effect.status,
    filter: 'effect/status ge 502',
    matches: ({ effect }) => effect.status >= 502,
    least: 4,
  },
  {
    path: 'snapshots',
    id: byName,
    order: 'takenAt',
    value: ({ takenAt }) => takenAt,
    filter: "name ne 'two' and counts/documents gt 0",
    matches: ({ name, counts }) => name !== 'two' && counts.documents > 0,
    least: 3,
  },
  {
    path: 'inbox',
    id: byName,
    order: 'received',
    value: ({ received }) => received,
    filter: 'received gt 1',
    matches: ({ received }) => received > 1,
    least: 3,
  },
  {
    path: 'inbox/box-0/requests',
    id: byId,
    order: 'bodyBytes',
    value: ({ bodyBytes }) => bodyBytes,
    filter: "contains(body, '1') and method eq 'POST'",
    matches: ({ body, method }) => body.includes('1') && method === 'POST',
    least: 5,
  },
  {
    path: 'deliveries',
    id: byId,
    order: 'subject',
    value: ({ subject }) => subject,
    filter: "owner eq 'owner-1' and destination ne 'nowhere'",
    matches: ({ owner, destination }) => owner === 'owner-1' && destination !== 'nowhere',
    least: 6,
  },
  {
    path: 'work',
    id: byId,
    order: 'kind',
    value: ({ kind }) => kind,
    filter: "startswith(kind, 'test.') and state eq 'waiting' and attempts eq 0",
    matches: ({ kind, state }) => kind.startsWith('test.') && state === 'waiting',
    least: 7,
  },
  {
    path: 'changes',
    id: ({ cursor }) => cursor,
    order: 'subject',
    value: ({ subject }) => subject,
    filter: "source eq 'test' and endswith(subject, '3')",
    matches: ({ source, subject }) => source === 'test' && subject.endsWith('3'),
    least: 7,
  },
];

async function fill(jar: RunningJar, control: Control): Promise<void> {
  for (let i = 0; i < 5; i++) {
    const id = `40000000-0000-4000-8000-00000000000${i}`;
    const username = `person-${i}@vendor.example`;
    await control('PUT', `users/${id}`, { username, alias: `person-${i}`, displayName: `Person ${(i * 3) % 5}` });
    const app = id.replace('40', '50');
    await control('PUT', `applications/${app}`, { alias: `App-${i}`, redirectUris: [`https://app-${i}.example/`] });
    await control('POST', 'faults', {
      match: { path: `/nothing/${i}` },
      effect: { status: 500 + ((i * 2) % 5) },
    });
    for (let n = 0; n <= i % 3; n++) await fetch(`${jar.url}/_jar/inbox/box-${i}`, { method: 'POST', body: 'x' });
    const body = '1'.repeat((i * 3) % 5);
    await fetch(`${jar.url}/_jar/inbox/box-0/more`, { method: i === 4 ? 'PUT' : 'POST', body });
  }
  const { store, clock } = jar.jar;
  await store.transact(async (tx) => {
    const at = clock.now();
    for (let i = 0; i < 7; i++) {
      const subject = `about ${(i * 3) % 7}`;
      await tx.schedule({ kind: `test.${(i * 2) % 7}`, dueAt: at + 1e9 + (i % 2), payload: { i } });
      await tx.change({ source: 'test', kind: 'write', subject, outcome: 'Succeeded', at, data: { i } });
      await tx.put(deliveries, `0delivery${i}`, {
        policy: 'test.none',
        service: 'test',
        destination: `to ${i % 3}`,
        owner: `owner-${i % 2}`,
        subject,
        address: 'https://vendor.example/',
        bodyBytes: 0,
        state: i % 2 ? 'dropped' : 'delivered',
        createdAt: at,
        dueAt: at,
        endedAt: at,
        attempts: 0,
        tries: 0,
        history: [],
      });
    }
  });
  for (const name of ['one', 'two', 'three']) {
    await control('PUT', `snapshots/${name}`);
    await jar.advance(1000);
  }
}

type Control = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: Item }>;

const text = (a: unknown, b: unknown): number => (a === b ? 0 : String(a) < String(b) ? -1 : 1);

describe.each(['sqlite', 'postgres'])('%s: the lists of the control API', (engine) => {
  let running: RunningJar | undefined;
  const jar = (): RunningJar => running as RunningJar;
  const control: Control = async (method, path, body) => {
    const response = await fetch(`${jar().url}/_jar/${path}`, {
      method,
      headers: { authorization: `Bearer ${jar().adminKey}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  beforeEach(async ({ skip }) => {
    if (running) return;
    const databaseUrl = engine === 'postgres' ? await usePostgresDatabase({ skip }, 'lists') : undefined;
    const flags = { port: 0, httpsPort: 0, clock: 'virtual', memory: engine === 'sqlite', databaseUrl };
    running = await openJar({ config: loadConfig({ flags, env: {}, cwd: '/' }), inProcess: true, logLevel: 'fatal' });
    await fill(running, control);
  });
  afterAll(() => running?.close());
  const ask = async (path: string, query: Readonly<Record<string, string | number>>) => {
    const asked = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    return control('GET', `${path}?${asked.join('&')}`);
  };
  const walk = async (path: string, query: Readonly<Record<string, string | number>>): Promise<Item[]> => {
    const found: Item[] = [];
    let page = await ask(path, query);
    for (;;) {
      expect(page.status, JSON.stringify(page.body)).toBe(200);
      expect(page.body.value.length).toBeLessThanOrEqual(Number(query.$top ?? 100));
      found.push(...page.body.value);
      if (page.body.nextLink === undefined) return found;
      const { pathname, search } = new URL(page.body.nextLink);
      page = await control('GET', `${pathname.slice('/_jar/'.length)}${search}`);
    }
  };

  describe.each(CASES)('$path', ({ path, id, order, value, filter, matches, least }) => {
    it('is walked to its end by links, each item once, however small the pages are', async () => {
      const all = await walk(path, {});
      expect(all.length).toBeGreaterThanOrEqual(least);
      const small = await walk(path, { $top: 2 });
      expect(small.map(id)).toEqual(all.map(id));
      expect(new Set(all.map(id)).size).toBe(all.length);
    });

    it('is filtered, on every page', async () => {
      const all = await walk(path, {});
      const expected = all.filter(matches).map(id);
      expect(expected.length).toBeGreaterThan(0);
      expect(expected.length).toBeLessThan(all.length);
      expect((await walk(path, { $filter: filter })).map(id)).toEqual(expected);
      expect((await walk(path, { $filter: filter, $top: 1 })).map(id)).toEqual(expected);
      expect((await walk(path, { $filter: `not (${filter})` })).map(id)).toEqual(
        all.filter((item) => !matches(item)).map(id),
      );
    });

    it('is ordered, in both directions and on every page', async () => {
      const up = await walk(path, { $orderby: order });
      const values = up.map(value);
      const sorted =
        typeof values[0] === 'number' ? values.toSorted((a, b) => Number(a) - Number(b)) : values.toSorted(text);
      expect(new Set(values).size).toBeGreaterThan(1);
      expect(values).toEqual(sorted);
      expect((await walk(path, { $orderby: order, $top: 3 })).map(id)).toEqual(up.map(id));
      const down = await walk(path, { $orderby: `${order} desc`, $top: 3 });
      expect(down.map(id)).toEqual(up.map(id).toReversed());
    });

    it('names the error in a query and its position', async () => {
      const refusals: [string, string, RegExp][] = [
        ['$filter', `${order} eq`, /The '\$filter' is not valid: .* at position \d+/],
        ['$filter', "no/such eq 'thing'", /there is no property 'no'; use one of .* at position 0/],
        ['$filter', `${order} eq 'a' and ${'('.repeat(200)}`, /at position \d+/],
        ['$orderby', 'nosuch', /The '\$orderby' is not valid: there is no property 'nosuch'.* at position 0/],
        ['$top', '0', /\$top/],
        ['$top', '1001', /\$top/],
        ['$skiptoken', 'forged', /not from this server/],
        ['$fliter', 'x', /\$fliter.*\$filter/],
      ];
      for (const [option, given, message] of refusals) {
        const { status, body } = await ask(path, { [option]: given });
        const code = option === '$skiptoken' ? 'BadSkipToken' : 'InvalidQuery';
        expect({ status, ...body }).toMatchObject({ status: 400, error: { code, target: option } });
        expect(body.error.message).toMatch(message);
      }
    });

    it('refuses the skip token of another list, and of itself with another filter, order or parameter', async () => {
      const token = async (from: string, query: Record<string, string>) => {
        const { body } = await ask(from, { ...query, $top: 1 });
        return new URL(body.nextLink).searchParams.get('$skiptoken') ?? '';
      };
      const own = await token(path, {});
      expect((await ask(path, { $skiptoken: own })).status).toBe(200);
      const foreign = await token(path === 'users' ? 'applications' : 'users', {});
      const ordered = await token(path, { $orderby: order });
      const refused: Record<string, string>[] = [
        { $skiptoken: foreign },
        { $skiptoken: ordered },
        { $skiptoken: own, $orderby: order },
        { $skiptoken: own, $filter: filter },
        { $skiptoken: `${own.slice(0, -2)}${own.at(-1)}${own.at(-2)}` },
      ];
      for (const query of refused) {
        expect(await ask(path, query)).toMatchObject({ status: 400, body: { error: { code: 'BadSkipToken' } } });
      }
    });
  });

  it('return more than 1,000 items, in pages with links', async () => {
    await jar().jar.store.transact(async (tx) => {
      const at = jar().jar.clock.now();
      for (let i = 0; i < 1500; i++) {
        await tx.change({ source: 'many', kind: 'write', subject: `${i}`, outcome: 'Succeeded', at, data: null });
      }
    });
    const found = await walk('changes', { $filter: "source eq 'many'", $top: 1000 });
    expect(found.map(({ subject }) => subject)).toEqual(Array.from({ length: 1500 }, (_, i) => `${i}`));
  });

  it('of deliveries refuse what only a look at each could tell', async () => {
    const refused = async (query: Record<string, string>) => (await ask('deliveries', query)).body.error?.message;
    expect(await refused({ $filter: "startswith(owner, 'o')" })).toMatch(
      /only be compared with eq, ne and in at position 11/,
    );
    expect(await refused({ $orderby: 'owner' })).toMatch(/cannot be ordered by this at position 0/);
    expect(await refused({ $filter: "subject eq 'x' and owner in ('a', 'b')" })).toBeUndefined();
  });
});
