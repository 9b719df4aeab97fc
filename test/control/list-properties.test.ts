import { beforeEach, describe, expect, it } from 'vitest';
import { SERVICES } from '../../src/services.ts';
import { control } from '../services/business/webhooks/support.ts';
import { undeclared } from '../support/declared.ts';
import { JarProbe } from '../support/jar-probe.ts';
import { onBothStores } from '../support/jars.ts';
import { fillLists } from './list-data.ts';

// biome-ignore lint/suspicious/noExplicitAny: items of every shape are looked into
type Item = any;
type Scalar = string | number | boolean | null;

interface List {
  /** Identifies an item; default: its id. */
  readonly key?: (item: Item) => string;
  /** Where items show a property, if not under its name. */
  readonly shown?: Readonly<Record<string, string>>;
  /** The number of items that the list has at least; default: 3. */
  readonly least?: number;
}

const byName = { key: ({ name }: Item): string => name };
const bySubscription = { key: ({ subscriptionId }: Item): string => subscriptionId };

/** All lists of the control API, by their path in the OpenAPI document. */
const LISTS: Readonly<Record<string, List>> = {
  // First, because this test's requests for the other lists are added to it.
  '/_jar/requests': {},
  '/_jar/applications': {},
  '/_jar/business/changes': {},
  '/_jar/business/subscriptions': bySubscription,
  '/_jar/business/subscriptions/removed': bySubscription,
  '/_jar/business/windows': {},
  '/_jar/changes': { key: ({ cursor }) => cursor },
  '/_jar/containers/groups': {},
  '/_jar/datasets': {},
  '/_jar/datashare/registrations': { key: ({ objectId, email }) => `${objectId} ${email}` },
  '/_jar/datashare/shares': {},
  '/_jar/datashare/subscriptions': {},
  '/_jar/datashare/synchronizations': {},
  '/_jar/deliveries': { shown: { outcome: 'lastAttempt/outcome', status: 'lastAttempt/status' } },
  '/_jar/deliveries/destinations': { key: ({ policy, destination }) => `${policy} ${destination}` },
  '/_jar/docs/operations': {},
  '/_jar/events/queues': {},
  '/_jar/events/queues/{queue}/messages': {},
  '/_jar/events/subscriptions': {},
  '/_jar/events/topics': {},
  '/_jar/events/traces': {},
  '/_jar/faults': {},
  '/_jar/inbox': byName,
  '/_jar/inbox/{name}/requests': {},
  '/_jar/lifecycle/invitations': { key: ({ invitation_token }) => invitation_token },
  '/_jar/lifecycle/users': {},
  '/_jar/limits': byName,
  '/_jar/mail/endpoints': {},
  '/_jar/mail/kept': {},
  '/_jar/mail/mailboxes': {},
  '/_jar/mail/mailboxes/{user}/events': {},
  '/_jar/mail/mailboxes/{user}/messages': {},
  '/_jar/mail/messages': {},
  '/_jar/mail/queued': {},
  '/_jar/platform/limit-increases': {},
  '/_jar/platform/private-endpoints': {},
  '/_jar/platform/query-results': {},
  '/_jar/resources': {},
  '/_jar/resources/groups': {},
  '/_jar/resources/management-groups': { key: ({ tenantId, name }) => `${tenantId} ${name}` },
  '/_jar/resources/operations': {},
  '/_jar/resources/subscriptions': bySubscription,
  '/_jar/sign-ins': {},
  '/_jar/snapshots': byName,
  // Tenants come from the seed only.
  '/_jar/tenants': { least: 2 },
  '/_jar/translator/keys': byName,
  '/_jar/users': {},
  '/_jar/work': {},
};

const OTHERS: ReadonlySet<string> = new Set([
  // It has pages, but neither filters nor orders.
  '/_jar/snapshots/compare',
  // Its properties are the columns of the table: test/services/datasets/bulk/export.test.ts.
  '/_jar/datasets/{dataset}/tables/{table}/newest',
]);

const at = (item: Item, path: string): Item => path.split('/').reduce((part, name) => part?.[name], item) ?? null;

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function literal(value: Scalar): string {
  if (typeof value !== 'string' || INSTANT.test(value)) return String(value);
  return `'${value.replaceAll("'", "''")}'`;
}

const lower = (value: Scalar): Scalar => (typeof value === 'string' ? value.toLowerCase() : value);

/** The order of the store: missing values first. */
function compare(a: Scalar, b: Scalar): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return a < b ? -1 : 1;
}

const isOrdered = (values: readonly Scalar[]): boolean =>
  values.every((value, i) => i === 0 || compare(values[i - 1]!, value) <= 0);

/** The largest page. */
const MOST = 1000;

const probe = new JarProbe();

onBothStores(
  'by every property that it names,',
  (bench) => {
    let document: Item;
    let queue = '';
    let filled: Promise<void> | undefined;
    const fill = async (): Promise<void> => {
      document = (await control(bench, 'GET', 'openapi.json')).body;
      await fillLists(bench, probe.jar);
      queue = (await control(bench, 'GET', 'events/queues?$orderby=name')).body.value[0].id;
    };
    beforeEach(() => {
      filled ??= fill();
      return filled;
    });

    const ask = (address: string, query: Readonly<Record<string, Scalar>>) => {
      const path = address
        .slice('/_jar/'.length)
        .replace('{queue}', queue)
        .replace('{name}', 'box')
        .replace('{user}', 'admin');
      const asked = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
      return control(bench, 'GET', `${path}?${asked.join('&')}`);
    };
    const walk = async (address: string, query: Readonly<Record<string, Scalar>>): Promise<Item[]> => {
      const found: Item[] = [];
      let page = await ask(address, query);
      for (;;) {
        expect(page.status, `${JSON.stringify(query)} ${page.text}`).toBe(200);
        found.push(...page.body.value);
        if (page.body.nextLink === undefined) return found;
        expect(page.body.value).toHaveLength(Number(query.$top ?? 100));
        const { pathname, search } = new URL(page.body.nextLink);
        page = await control(bench, 'GET', `${pathname.slice('/_jar/'.length)}${search}`);
      }
    };
    const describedBy = (address: string, option: string): string =>
      document.paths[address].get.parameters.find(({ name }: Item) => name === option).description;
    const filterable = (address: string) => describedBy(address, '$filter').split(') of ')[1]!.split(', ');
    const orderable = (address: string) => describedBy(address, '$orderby').split(': ')[1]!.split(', ');

    it('the lists of this test are all that the control API has', () => {
      const lists = Object.entries<Item>(document.paths).filter(([path, { get }]) => {
        const names = (get?.parameters ?? []).map(({ name }: Item) => name);
        return path.startsWith('/_jar/') && names.includes('$skiptoken') && !OTHERS.has(path);
      });
      expect(lists.map(([path]) => path).sort()).toEqual(Object.keys(LISTS).sort());
    });

    describe.each(Object.keys(LISTS))('%s', (address) => {
      const { key = ({ id }: Item): string => id, shown = {}, least = 3 } = LISTS[address]!;
      const shownAs = (item: Item, property: string): Item => at(item, shown[property] ?? property);

      it('is walked to its end by links, each item once, and shows what the OpenAPI document says', async () => {
        const all = await walk(address, {});
        expect(all.length).toBeGreaterThanOrEqual(least);
        const top = Math.min(MOST, Math.ceil(all.length / 3));
        expect((await walk(address, { $top: top })).map(key)).toEqual(all.map(key));
        expect(new Set(all.map(key)).size).toBe(all.length);
        const { schema } = document.paths[address].get.responses[200].content['application/json'];
        expect(undeclared(document, schema.properties.value, all)).toEqual([]);
      });

      it('is filtered', async () => {
        const all = await walk(address, {});
        const none: string[] = [];
        for (const property of filterable(address)) {
          const values = all.map((item) => shownAs(item, property));
          const known = values.filter((value) => value !== null && !(Array.isArray(value) && value.length === 0));
          // A value that not all items share, if there is one.
          const wanted = known.find((value) => JSON.stringify(value) !== JSON.stringify(values[0])) ?? known[0];
          if (wanted === undefined) none.push(property);
          else if (Array.isArray(wanted)) {
            const isIn = typeof wanted[0] === 'object' ? '' : `one: one eq ${literal(wanted[0])}`;
            const expected = all.filter((_, i) =>
              isIn === '' ? values[i]?.length > 0 : values[i]?.includes(wanted[0]),
            );
            const found = await walk(address, { $filter: `${property}/any(${isIn})` });
            expect(found.map(key), property).toEqual(expected.map(key));
          } else {
            const like = all.filter((_, i) => lower(values[i]) === lower(wanted)).map(key);
            const equal = all.filter((_, i) => values[i] === wanted).map(key);
            const found = (await walk(address, { $filter: `${property} eq ${literal(wanted)}` })).map(key);
            // Some names compare case-insensitively.
            expect(found, property).toEqual(found.length === equal.length ? equal : like);
            const others = (await walk(address, { $filter: `${property} ne ${literal(wanted)}` })).map(key);
            expect([...found, ...others].sort(), property).toEqual(all.map(key).sort());
          }
          if (!Array.isArray(values[0])) {
            const absent = all.filter((_, i) => values[i] === null).map(key);
            expect((await walk(address, { $filter: `${property} eq null` })).map(key), property).toEqual(absent);
          }
        }
        // The data contains a value for each property.
        expect(none).toEqual([]);
      });

      it('is ordered both ways, on every page', async () => {
        for (const property of orderable(address)) {
          const up = await walk(address, { $orderby: property });
          const values = up.map((item) => shownAs(item, property));
          expect(isOrdered(values) || isOrdered(values.map(lower)), `${property}: ${values}`).toBe(true);
          const down = await walk(address, {
            $orderby: `${property} desc`,
            $top: Math.min(MOST, Math.ceil(up.length / 2)),
          });
          expect(down.map(key), property).toEqual(up.map(key).toReversed());
        }
      });

      it('names the known properties if an unknown one is requested', async () => {
        for (const [option, text] of [
          ['$filter', "nosuch eq 'x'"],
          ['$orderby', 'nosuch'],
        ] as const) {
          const { status, body } = await ask(address, { [option]: text });
          expect({ status, ...body }).toMatchObject({ status: 400, error: { code: 'InvalidQuery', target: option } });
          expect(body.error.message).toMatch(/there is no property 'nosuch'; use one of .* at position 0/);
          for (const property of filterable(address)) expect(body.error.message).toContain(property.split('/')[0]);
        }
      });

      it('refuses a skip token that is damaged, or of another list or question', async () => {
        const tokenOf = async (from: string, query: Record<string, string>): Promise<string> => {
          const { body } = await ask(from, { ...query, $top: 1 });
          return new URL(body.nextLink).searchParams.get('$skiptoken') ?? '';
        };
        const own = await tokenOf(address, {});
        expect((await ask(address, { $skiptoken: own })).status).toBe(200);
        const order = orderable(address)[0]!;
        const refused: Record<string, string>[] = [
          { $skiptoken: await tokenOf(address === '/_jar/users' ? '/_jar/limits' : '/_jar/users', {}) },
          { $skiptoken: own, $orderby: order },
          { $skiptoken: await tokenOf(address, { $orderby: order }) },
          { $skiptoken: own, $filter: `${order} ne null` },
          { $skiptoken: own.slice(0, -3) },
          { $skiptoken: 'forged' },
        ];
        for (const query of refused) {
          const { status, body } = await ask(address, query);
          const error = { code: 'BadSkipToken', target: '$skiptoken' };
          expect({ query, status, ...body }).toMatchObject({ status: 400, error });
        }
      });
    });
  },
  { services: [...SERVICES, probe.service] },
);
