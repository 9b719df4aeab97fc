import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../benches.ts';
import { type Books, openBooks } from '../support.ts';

const PNG = { 'content-type': 'image/png' };
const BYTES = '\u0089PNG not really';

onAnyStore('a stream', (bench) => {
  let books: Books;
  beforeEach(async () => {
    books ??= await openBooks(bench);
  });

  it.each([
    ['customers', { displayName: 'Pictured' }, 'Customer'],
    ['vendors', { displayName: 'Pictured' }, 'Vendor'],
    ['items', { displayName: 'Pictured' }, 'Item'],
    ['employees', { givenName: 'Pictured' }, 'Employee'],
  ])('of %s takes bytes and gives them back, before there is a picture and after', async (set, body, parentType) => {
    const { id } = await books.make(set, body);
    const picture = (await books.get(`${set}(${id})/picture`)).body;
    expect(picture).toMatchObject({ id, parentType, contentType: '' });
    const link: string = picture['pictureContent@odata.mediaEditLink'];
    const empty = `${set}(${id})/picture/pictureContent`;
    expect((await books.get(empty)).status).toBe(204);
    expect((await books.delete(empty)).status).toBe(204);
    const tagged = { ...PNG, 'if-match': picture['@odata.etag'] };
    expect((await bench.call('PATCH', `${books.path}/${empty}`, { body: BYTES, headers: tagged })).status).toBe(204);
    expect((await bench.call('PUT', link, { body: `${BYTES}!`, headers: PNG })).status).toBe(204);
    const read = await bench.call('GET', link);
    expect([read.text, read.headers.get('content-type')]).toEqual([`${BYTES}!`, 'image/png']);
    expect((await books.get(`${set}(${id})/picture`)).body).toMatchObject({ parentType, contentType: 'image/png' });
    expect((await books.delete(`${set}(${id})`)).status).toBe(204);
    expect((await bench.call('GET', link)).status).toBe(404);
  });

  it('of a picture in v1.0 is below the list of it', async () => {
    const older = await openBooks(bench, 'v1.0');
    const { id } = await books.make('items', { displayName: 'Older' });
    const content = `items(${id})/picture(${id})/pictureContent`;
    expect((await bench.call('PATCH', `${older.path}/${content}`, { body: BYTES, headers: PNG })).status).toBe(204);
    expect((await older.get(content)).text).toBe(BYTES);
    expect((await older.get(`items(${id})/picture`)).body.value).toMatchObject([{ id, contentType: 'image/png' }]);
  });

  it('is at no record that has no picture, and not at one that is not there', async () => {
    const { id } = await books.make('currencies', { code: 'PIC' });
    const body = { body: BYTES, headers: PNG };
    expect((await bench.call('PUT', `${books.path}/currencies(${id})/picture/pictureContent`, body)).status).toBe(404);
    expect((await bench.call('PUT', `${books.path}/pictures(${id})/pictureContent`, body)).status).toBe(404);
  });

  it.each([
    ['application/json', '{ "blanks" :\t[ 1.0 ] }\n'],
    ['application/json', '{ no JSON'],
    [undefined, '\u0001\u0002 no type'],
  ])('that came as %s gives back every byte: %j', async (type, content) => {
    const { id } = await books.make('items', { displayName: 'Exact' });
    const address = `${bench.jar.url}${books.path}/items(${id})/picture/pictureContent`;
    const authorization = `Bearer ${await bench.jar.token({ ttl: '365d' })}`;
    const headers = { authorization, ...(type !== undefined && { 'content-type': type }) };
    const sent = await fetch(address, { method: 'PUT', headers, body: Buffer.from(content) });
    expect(sent.status).toBe(204);
    const read = await fetch(address, { headers: { authorization } });
    expect(await read.text()).toBe(content);
  });

  it('of a file says how long it is', async () => {
    const customer = await books.make('customers', { displayName: 'Filed' });
    const file = await books.make(`customers(${customer.id})/documentAttachments`, { fileName: 'a.txt' });
    const content = `${books.path}/documentAttachments(${file.id})/attachmentContent`;
    const headers = { 'content-type': 'text/plain' };
    expect((await bench.call('PATCH', content, { body: 'twelve bytes', headers })).status).toBe(204);
    expect((await books.get(`documentAttachments(${file.id})`)).body.byteSize).toBe(12);
    expect((await bench.call('DELETE', content)).status).toBe(204);
    expect((await books.get(`documentAttachments(${file.id})`)).body.byteSize).toBe(0);
  });
});
