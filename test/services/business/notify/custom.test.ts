import { afterEach, beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../benches.ts';
import { openWebhooks, type Webhooks } from '../webhooks/support.ts';
import { type Desk, expectStatus, openDesk, short } from './support.ts';

const ROUTE = 'contoso/fleet/v1.0';

const vehicle = {
  entityName: 'vehicle',
  entitySetName: 'vehicles',
  keyFields: ['plate'],
  properties: ['plate', 'description'],
  table: {
    number: 50100,
    key: 'plate',
    fields: { plate: { type: 'string', maxLength: 20, code: true }, description: 'string' },
  },
};

const buyer = {
  entityName: 'buyer',
  entitySetName: 'buyers',
  sourceTable: 'customer',
  keyFields: ['number'],
  properties: ['number', { name: 'name', field: 'displayName' }],
};

const business = {
  onGetMaxNumberOfNotifications: 3,
  customApis: [{ publisher: 'contoso', group: 'fleet', version: 'v1.0', entities: [vehicle, buyer] }],
};

onAnyStore(
  'notifications of a custom API',
  (bench) => {
    let desk: Desk;
    let hooks: Webhooks;
    beforeEach(async () => {
      desk ??= await openDesk(bench);
      hooks ??= await openWebhooks(bench, ROUTE);
    });
    afterEach(() => desk.clear());
    const advance = (by: string) => bench.jar.clock.advance(by);
    const at = (key = '') => `${hooks.resource('vehicles')}${key}`;

    it('are subscribed to only at the subscriptions of that API, and renewed at those of any', async () => {
      const elsewhere = await openWebhooks(bench);
      const body = { notificationUrl: hooks.inbox('own'), resource: hooks.resource('vehicles') };
      const refused = await elsewhere.subscribe(body);
      expect(refused).toMatchObject({ status: 400, text: expect.stringContaining(`/api/${ROUTE}/subscriptions`) });
      const { subscriptionId: standard } = await elsewhere.make('customers', 'own');
      expectStatus(await elsewhere.renew(standard, { resource: body.resource }), 400);
      const { subscriptionId } = expectStatus(await hooks.subscribe(body), 201).body;
      for (const change of [{}, body]) {
        const renewed = expectStatus(await elsewhere.renew(subscriptionId, change), 200).body;
        expect(renewed.resource).toBe(body.resource);
      }
      expect(await bench.jar.inbox('own').requests()).toHaveLength(4);
    });

    it('name a record by its own key, in quotes and escaped, and a new key as a new record', async () => {
      await hooks.make('vehicles', 'fleet');
      await desk.books.make(at(), { plate: "O'N 1/A", description: 'Van' });
      await advance('30s');
      expect((await desk.entries('fleet')).map(short)).toEqual(["created vehicles('O''N%201%2FA')"]);
      const path = `${at()}('O''N%201%2FA')`;
      expectStatus(await desk.books.get(path), 200);
      expectStatus(await desk.books.patch(path, { plate: 'B 2' }), 200);
      await advance('30s');
      expect((await desk.bodies('fleet'))[1]?.map(short)).toEqual([
        "deleted vehicles('O''N%201%2FA')",
        "created vehicles('B%202')",
      ]);
    });

    it.each(['100%', 'Ü (1)', '=A&B?C#', '\ud800', '\u{1fad9}'])(
      'name the record %j by a resource that can be read',
      async (plate) => {
        const inbox = `key-${Buffer.from(plate).toString('hex')}`;
        await hooks.make('vehicles', inbox);
        await desk.books.make(at(), { plate });
        await advance('30s');
        const [entry] = await desk.entries(inbox);
        expect(entry?.changeType).toBe('created');
        const { body } = expectStatus(await bench.call('GET', entry?.resource ?? ''), 200);
        expect(body.plate.toWellFormed()).toBe(plate.toWellFormed());
      },
    );

    it('notify of a standard table through the page over it, whoever changes it', async () => {
      await hooks.make('buyers', 'buyers');
      await desk.hooks.make('customers', 'buyers');
      const { id, number } = await desk.books.make('customers', { displayName: 'Bought' });
      await advance('30s');
      expect((await desk.entries('buyers')).map(short).sort()).toEqual([
        `created buyers('${number}')`,
        `created customers(${id})`,
      ]);
      expectStatus(await desk.books.patch(`customers(${id})`, { number: `${number}X` }), 200);
      await advance('30s');
      expect((await desk.bodies('buyers'))[1]?.map(short).sort()).toEqual([
        `created buyers('${number}X')`,
        `deleted buyers('${number}')`,
        `updated customers(${id})`,
      ]);
    });

    it('have no filter if the page does not show the modification time', async () => {
      await hooks.make('vehicles', 'many');
      for (const plate of ['C1', 'C2', 'C3', 'C4']) await desk.books.make(at(), { plate });
      await advance('30s');
      expect((await desk.entries('many')).map(({ changeType, resource }) => [changeType, resource])).toEqual([
        ['collection', at()],
      ]);
    });
  },
  { settings: { business } as never },
);
