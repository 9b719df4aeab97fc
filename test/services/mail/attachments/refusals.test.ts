import type { Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';

const MB = 1024 * 1024;
const FILE = { '@odata.type': '#microsoft.graph.fileAttachment', name: 'a.txt', contentBytes: 'YQ==' };
const ITEM = { '@odata.type': '#microsoft.graph.itemAttachment', name: 'item' };
const REFERENCE = { '@odata.type': '#microsoft.graph.referenceAttachment', name: 'r' };

/** Nested items. */
const deep = (levels: number): object => ({
  ...ITEM,
  item: { '@odata.type': '#microsoft.graph.message', attachments: levels > 1 ? [deep(levels - 1)] : [] },
});

onAnyStore('attachments that are refused', (bench) => {
  let client: Client;
  let path: string;

  beforeEach(async () => {
    await bench.jar.reset();
    client = await graphClient(bench);
    path = `/me/messages/${(await client.api('/me/messages').post({ subject: 'x' })).id}`;
  });

  it.each([
    ['no type', { name: 'a', contentBytes: 'YQ==' }, 400, 'UnableToDeserializePostBody'],
    ['another type', { ...FILE, '@odata.type': '#microsoft.graph.attachment' }, 400, 'UnableToDeserializePostBody'],
    ['no name', { ...FILE, name: undefined }, 400, 'RequestBodyRead'],
    ['an empty name', { ...FILE, name: '' }, 400, 'RequestBodyRead'],
    ['a name with a line break', { ...FILE, name: 'a\r\nb' }, 400, 'RequestBodyRead'],
    ['a name of 300 characters', { ...FILE, name: 'x'.repeat(300) }, 400, 'RequestBodyRead'],
    ['no bytes', { ...FILE, contentBytes: undefined }, 400, 'RequestBodyRead'],
    ['bytes that are no base64', { ...FILE, contentBytes: 'YQ=' }, 400, 'RequestBodyRead'],
    ['bytes with blanks', { ...FILE, contentBytes: 'Y Q==' }, 400, 'RequestBodyRead'],
    ['a type that is none', { ...FILE, contentType: 'text' }, 400, 'RequestBodyRead'],
    ['a type with a line break', { ...FILE, contentType: 'text/plain\r\nx: y' }, 400, 'RequestBodyRead'],
    ['an unknown property', { ...FILE, owner: 'me' }, 400, 'RequestBodyRead'],
    ['3 MB', { ...FILE, contentBytes: Buffer.alloc(3 * MB).toString('base64') }, 413, 'RequestEntityTooLarge'],
    ['an item without one', ITEM, 400, 'RequestBodyRead'],
    ['an item without a type', { ...ITEM, item: { subject: 'x' } }, 400, 'UnableToDeserializePostBody'],
    [
      'a message with a wrong property',
      { ...ITEM, item: { '@odata.type': '#microsoft.graph.message', no: 1 } },
      400,
      'RequestBodyRead',
    ],
    [
      'a message from nobody',
      { ...ITEM, item: { '@odata.type': '#microsoft.graph.message', from: { emailAddress: { address: 'a b' } } } },
      400,
      'ErrorMimeContentInvalid',
    ],
    [
      'an event at no time',
      { ...ITEM, item: { '@odata.type': '#microsoft.graph.event', start: { dateTime: 'x' } } },
      400,
      'RequestBodyRead',
    ],
    ['items 31 deep', deep(31), 400, 'RequestBodyRead'],
    ['a reference to nowhere', REFERENCE, 400, 'RequestBodyRead'],
    ['a reference to a script', { ...REFERENCE, sourceUrl: 'javascript:alert(1)' }, 400, 'RequestBodyRead'],
    [
      'a provider that is unknown',
      { ...REFERENCE, sourceUrl: 'https://x', providerType: 'box' },
      400,
      'RequestBodyRead',
    ],
  ])('%s', async (_, body, status, code) => {
    const reply = await bench.call('POST', `/v1.0${path}/attachments`, { body });
    expect([reply.status, reply.body.error.code]).toEqual([status, code]);
    expect((await client.api(`${path}/attachments`).get()).value).toEqual([]);
    const draft = await bench.call('POST', '/v1.0/me/messages', { body: { subject: 'with', attachments: [body] } });
    expect([draft.status, draft.body.error.code]).toEqual([status, code]);
    expect(await client.api('/me/messages').filter("subject eq 'with'").get()).toMatchObject({ value: [] });
  });

  it('items 30 deep are the deepest', async () => {
    const added = await client.api(`${path}/attachments`).post(deep(30));
    let { item } = await client.api(`${path}/attachments/${added.id}`).expand('item').get();
    let depth = 1;
    for (; item.attachments; depth += 1) [{ item }] = item.attachments;
    expect(depth).toBe(30);
  });

  it('a message has 250 attachments and the size that a message may have', async () => {
    const many = Array.from({ length: 250 }, (_, index) => ({ ...FILE, name: `${index}.txt` }));
    const draft = await client.api('/me/messages').post({ attachments: many });
    await expect(client.api(`/me/messages/${draft.id}/attachments`).post(FILE)).rejects.toMatchObject({
      statusCode: 400,
      code: 'ErrorInvalidRequest',
    });
    const names = (await client.api(`/me/messages/${draft.id}/attachments`).select('name').get()).value;
    expect(names.map((each: { name: string }) => each.name)).toEqual(many.map(({ name }) => name));
    const settings = { token: bench.jar.adminKey, body: { messageSizeLimit: 2 * MB } };
    expect((await bench.call('PATCH', '/_jar/mail/settings', settings)).status).toBe(200);
    const large = { ...FILE, contentBytes: Buffer.alloc(1.5 * MB).toString('base64') };
    await client.api(`${path}/attachments`).post(large);
    await expect(client.api(`${path}/attachments`).post(large)).rejects.toMatchObject({
      statusCode: 413,
      code: 'ErrorMessageSizeExceeded',
    });
  });

  it.each([
    ['an id of no form', 'x', 400, 'ErrorInvalidIdMalformed'],
    ['the id of a message', undefined, 400, 'ErrorInvalidIdMalformed'],
  ])('%s', async (_, id, statusCode, code) => {
    const key = id ?? path.split('/').at(-1);
    for (const at of [`${path}/attachments/${key}`, `${path}/attachments/${key}/$value`])
      await expect(client.api(at).get()).rejects.toMatchObject({ statusCode, code });
    await expect(client.api(`${path}/attachments/${key}`).delete()).rejects.toMatchObject({ statusCode, code });
  });

  it('attachments of a message are not those of another', async () => {
    const { id } = await client.api(`${path}/attachments`).post(FILE);
    const other = await client.api('/me/messages').post({ subject: 'other' });
    await expect(client.api(`/me/messages/${other.id}/attachments/${id}`).get()).rejects.toMatchObject({
      statusCode: 404,
    });
    const foreign = await graphClient(bench, { user: 'licensed' });
    await expect(foreign.api(`${path}/attachments`).get()).rejects.toMatchObject({ statusCode: 404 });
  });

  it('attachments in PATCH', async () => {
    await expect(client.api(path).patch({ attachments: [FILE] })).rejects.toMatchObject({
      statusCode: 400,
      code: 'ErrorInvalidPropertySet',
    });
  });
});
