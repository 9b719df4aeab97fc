import { beforeAll, expect, it } from 'vitest';
import { withJar } from '../benches.ts';
import { errorOf } from '../support.ts';

const shown = (name: string, table: string, more: object = {}) => ({
  entityName: name,
  entitySetName: `${name}s`,
  sourceTable: table,
  ...more,
});

const boat = {
  entityName: 'boat',
  entitySetName: 'boats',
  table: {
    number: 50100,
    key: 'code',
    fields: {
      code: { type: 'string', maxLength: 10, code: true },
      builtAt: 'dateTime',
      launched: 'date',
      kind: { members: ['Row boat', 'Sail/Motor'], initial: 'Sail/Motor' },
      length: 'decimal',
      crew: 'int32',
      miles: 'int64',
      insured: 'boolean',
      ownerId: 'guid',
      note: { type: 'string', initial: 'new' },
    },
  },
};

const oar = {
  entityName: 'oar',
  entitySetName: 'oars',
  table: {
    number: 50101,
    partOf: { table: 'boat', by: 'boatId' },
    fields: { boatId: 'guid', metres: 'decimal' },
  },
};

const customApis = [
  {
    publisher: 'harbour',
    group: 'boats',
    version: 'v1.0',
    entities: [
      boat,
      oar,
      {
        entityName: 'weather',
        entitySetName: 'weathers',
        table: { number: 50102, temporary: true, fields: { wind: 'int32' } },
      },
      shown('time', 'boat', { keyFields: ['builtAt'] }),
      shown('kindOf', 'boat', { keyFields: ['kind'] }),
      shown('mile', 'boat', { keyFields: ['miles'] }),
      shown('invoice', 'salesInvoice'),
      shown('invoiceLine', 'salesInvoiceLine'),
      shown('account', 'account'),
      shown('entry', 'generalLedgerEntry', { entitySetName: 'entries' }),
      shown('site', 'company'),
    ],
  },
];

withJar(
  (bench) => {
    let path = '';
    beforeAll(async () => {
      const { body } = await bench.call('GET', '/api/harbour/boats/v1.0/companies');
      path = `/api/harbour/boats/v1.0/companies(${body.value[0].id})`;
    });
    const get = (rest: string) => bench.call('GET', `${path}/${rest}`);
    const post = (rest: string, body: unknown) => bench.call('POST', `${path}/${rest}`, { body });
    const patch = (rest: string, body: unknown) =>
      bench.call('PATCH', `${path}/${rest}`, { body, headers: { 'if-match': '*' } });

    const VALUES = {
      code: 'ANNA',
      builtAt: '2024-05-06T07:08:09.123Z',
      launched: '2024-06-01',
      kind: 'Row_x0020_boat',
      length: -2.25,
      crew: -3,
      miles: Number.MAX_SAFE_INTEGER,
      insured: true,
      ownerId: '11111111-1111-4111-8111-11111111111a',
      note: '',
    };

    it('a table of all types gives back what it was given', async () => {
      const made = await post('boats', VALUES);
      expect([made.status, made.body]).toMatchObject([201, VALUES]);
      expect((await get(`boats(${made.body.id})`)).body).toMatchObject(VALUES);
      expect((await patch(`boats(${made.body.id})`, made.body)).body).toMatchObject(VALUES);
    });

    it.each([
      ['times(2024-05-06T07:08:09.123Z)', 200],
      ['times(2024-05-06T07:08:10Z)', 404],
      ['times(tomorrow)', 404],
      ["kindOfs('Row boat')", 200],
      ["kindOfs('row_x0020_boat')", 200],
      ["kindOfs('Raft')", 404],
      [`miles(${Number.MAX_SAFE_INTEGER})`, 200],
      ['miles(1e400)', 404],
    ])('a key is read as its field is kept: %s is %i', async (rest, status) => {
      expect((await get(rest)).status).toBe(status);
    });

    it('a line cannot be moved to a missing record, but to another existing one', async () => {
      const [one, other] = [(await post('boats', { code: 'ONE' })).body, (await post('boats', { code: 'TWO' })).body];
      const line = (await post('oars', { boatId: one.id, metres: 2 })).body;
      const lost = await patch(`oars(${line.id})`, { boatId: '22222222-2222-4222-8222-222222222222' });
      expect(errorOf(lost)).toMatchObject({ status: 400, code: 'Internal_InvalidTableRelation' });
      expect((await patch(`oars(${line.id})`, { boatId: other.id })).status).toBe(200);
    });

    it('a temporary table answers, and stores nothing', async () => {
      const made = await post('weathers', { wind: 7 });
      expect([made.status, made.body]).toMatchObject([201, { wind: 7 }]);
      expect((await get(`weathers(${made.body.id})`)).status).toBe(404);
      expect((await get('weathers')).body.value).toEqual([]);
    });

    it('rules hold on every page over a table', async () => {
      const [invoice] = (await get("invoices?$filter=status eq 'Open'&$top=1")).body.value;
      const [line] = (await get(`invoiceLines?$filter=documentId eq ${invoice.id}`)).body.value;
      for (const reply of [
        await patch(`invoices(${invoice.id})`, { invoiceDate: '2020-01-01' }),
        await bench.call('DELETE', `${path}/invoices(${invoice.id})`),
        await patch(`invoiceLines(${line.id})`, { quantity: 1000 }),
        await bench.call('DELETE', `${path}/invoiceLines(${line.id})`),
      ]) {
        expect(errorOf(reply).code).toBe('Application_DialogException');
      }
      const [account] = (await get("accounts?$filter=number eq '4110'")).body.value;
      const reply = await bench.call('DELETE', `${path}/accounts(${account.id})`);
      expect(errorOf(reply).message).toBe('You cannot delete G/L Account 4110 because it has ledger entries.');
    });

    it.each(['entries', 'sites'])('%s are read-only by default', async (set) => {
      const { status, headers } = await post(set, {});
      expect([status, headers.get('allow')]).toEqual([405, 'GET']);
    });
  },
  { settings: { business: { customApis } } },
);
