import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../benches.ts';
import { type Books, errorOf, openBooks } from '../support.ts';

onBothStores('a write that is refused', (bench) => {
  let books: Books;
  let older: Books;
  beforeEach(async () => {
    books ??= await openBooks(bench);
    older ??= await openBooks(bench, 'v1.0');
  });

  it.each([
    '$select=nonsense',
    '$expand=nonsense',
    '$expand=currency($select=nonsense)',
    '$expand=currency($filter=nonsense eq 1)',
    '$expand=defaultDimensions($expand=nonsense)',
  ])('for a mistake in %s has changed nothing', async (query) => {
    const customer = await books.make('customers', { displayName: 'Before' });
    const count = await books.get('customers/$count');
    expect((await books.post(`customers?${query}`, { displayName: 'Never' })).status).toBe(400);
    expect((await books.patch(`customers(${customer.id})?${query}`, { displayName: 'After' })).status).toBe(400);
    expect((await books.get('customers/$count')).text).toBe(count.text);
    expect((await books.get(`customers(${customer.id})`)).body).toMatchObject({ displayName: 'Before' });
  });

  it('to the list of the one record that another names makes none', async () => {
    const customer = await books.make('customers', { displayName: 'Lone' });
    const reply = await older.post(`customers(${customer.id})/currency`, { code: 'QQQ' });
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET']);
    expect((await books.get("currencies?$filter=code eq 'QQQ'")).body.value).toEqual([]);
  });

  it.each(['image/png', 'text/plain', 'application/xml'])('since it is %s is told so', async (type) => {
    const customer = await books.make('customers', { displayName: 'Typed' });
    const options = { headers: { 'content-type': type } };
    for (const reply of [
      await books.post('customers', '{"displayName":"Bytes"}', options),
      await books.patch(`customers(${customer.id})`, '{"displayName":"Bytes"}', options),
    ]) {
      expect(errorOf(reply)).toMatchObject({ status: 415, code: 'BadRequest' });
    }
    expect((await books.get(`customers(${customer.id})`)).body.displayName).toBe('Typed');
  });

  it.each(['displayName', 'creditLimit', 'type', 'currencyId', 'id', 'defaultDimensions'])(
    'since %s is endlessly deep is answered all the same',
    async (name) => {
      const depth = 100_000;
      const list = '['.repeat(depth) + ']'.repeat(depth);
      const object = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
      for (const value of [list, object]) {
        const reply = await books.post('customers', `{"${name}":${value}}`);
        expect(reply.status, reply.text.slice(0, 500)).toBe(400);
      }
    },
  );

  it('for its parent leaves a file where it is', async () => {
    const [one, other] = [
      await books.make('customers', { displayName: 'One' }),
      await books.make('customers', { displayName: 'Other' }),
    ];
    const file = await books.make(`customers(${one.id})/documentAttachments`, { fileName: 'a.txt' });
    const reply = await books.patch(`documentAttachments(${file.id})`, { parentId: other.id });
    expect(errorOf(reply)).toMatchObject({ status: 400, code: 'Application_DialogException' });
  });
});

onBothStores('what is emptied', (bench) => {
  let older: Books;
  beforeEach(async () => {
    older ??= await openBooks(bench, 'v1.0');
  });

  const address = { street: 'Quay 1', city: 'Ulm', postalCode: '89073' };

  it('as a whole is empty in all its parts', async () => {
    const customer = await older.make('customers', { displayName: 'Moved', address });
    expect((await older.delete(`customers(${customer.id})/address`)).status).toBe(204);
    const { body } = await older.get(`customers(${customer.id})`);
    expect(body.address).toMatchObject({ street: '', city: '', postalCode: '' });
    const back = await older.patch(`customers(${customer.id})`, { address });
    expect(back.body.address).toMatchObject(address);
    const gone = await older.patch(`customers(${customer.id})`, { address: null });
    expect(gone.body.address).toMatchObject({ street: '', city: '', postalCode: '' });
  });

  it('keeps read-only values', async () => {
    const item = await older.make('items', { displayName: 'Rope', baseUnitOfMeasure: { unitCode: 'PCS' } });
    const { body } = await older.patch(`items(${item.id})`, { baseUnitOfMeasure: null });
    expect(body.baseUnitOfMeasure).toMatchObject({ unitCode: '', unitConversion: 1 });
  });

  it('is no text where it has parts', async () => {
    const customer = await older.make('customers', { displayName: 'Parts', address });
    expect((await older.get(`customers(${customer.id})/address`)).body.value).toMatchObject(address);
    expect((await older.get(`customers(${customer.id})/address/$value`)).status).toBe(404);
  });
});
