import type { Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, expect, it } from 'vitest';
import { onAnyStore, onBothStores } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';

const REFERRAL = {
  '@odata.type': 'microsoft.graph.openTypeExtension',
  extensionName: 'Com.Contoso.Referral',
  companyName: 'Wingtip Toys',
  expirationDate: '2015-12-30T11:00:00.000Z',
  dealValue: 10_000,
  topPicks: ['Employees only', 'Add spouse'],
};
const ID = 'microsoft.graph.openTypeExtension.Com.Contoso.Referral';
const SHOWN = { ...REFERRAL, '@odata.type': '#microsoft.graph.openTypeExtension', id: ID };

onBothStores('open extensions', (bench) => {
  let client: Client;
  let path: string;

  beforeEach(async () => {
    await bench.jar.reset();
    client = await graphClient(bench);
    path = `/me/messages/${(await client.api('/me/messages').post({ subject: 'Referred' })).id}`;
  });

  it('an extension is added, found by each form of its id, changed by merging, and removed', async () => {
    const added = await client.api(`${path}/extensions`).post(REFERRAL);
    expect(added).toMatchObject(SHOWN);
    expect(added['@odata.context']).toMatch(/\/messages\('[^']+'\)\/extensions\/\$entity$/);
    for (const key of [
      'Com.Contoso.Referral',
      'com.contoso.referral',
      ID,
      'Microsoft.OutlookServices.OpenTypeExtension.Com.Contoso.Referral',
    ])
      expect(await client.api(`${path}/extensions/${key}`).get()).toMatchObject(SHOWN);
    const before = await client.api(path).get();
    const changed = await client
      .api(`${path}/extensions/${ID}`)
      .patch({ dealValue: 500_050, topPicks: null, isNew: true });
    expect(changed).toMatchObject({ companyName: 'Wingtip Toys', dealValue: 500_050, isNew: true });
    expect(changed).not.toHaveProperty('topPicks');
    expect((await client.api(path).get()).changeKey).not.toBe(before.changeKey);
    expect((await client.api(`${path}/extensions`).get()).value).toHaveLength(1);
    await client.api(`${path}/extensions/${ID}`).delete();
    await expect(client.api(`${path}/extensions/${ID}`).get()).rejects.toMatchObject({
      statusCode: 404,
      code: 'ErrorItemNotFound',
    });
  });

  it('extensions can be sent with a new message, and are read with $expand and $filter', async () => {
    const draft = await client.api('/me/messages').post({
      subject: 'Annual review',
      extensions: [REFERRAL, { '@odata.type': '#microsoft.graph.openTypeExtension', extensionName: 'Other', x: 1 }],
    });
    expect(draft).not.toHaveProperty('extensions');
    for (const id of [
      ID,
      ID.toUpperCase(),
      'Com.Contoso.Referral',
      `Microsoft.OutlookServices.OpenTypeExtension.Com.Contoso.Referral`,
    ]) {
      const expanded = await client.api(`/me/messages/${draft.id}`).expand(`extensions($filter=id eq '${id}')`).get();
      expect(expanded.extensions).toEqual([SHOWN]);
      const found = await client
        .api('/me/messages')
        .filter(`Extensions/any(f:f/id eq '${id}')`)
        .expand(`Extensions($filter=id eq '${id}')`)
        .select('subject')
        .get();
      expect(found.value).toMatchObject([{ subject: 'Annual review', extensions: [SHOWN] }]);
    }
    const all = await client.api(`/me/messages/${draft.id}`).expand('extensions').get();
    expect(all.extensions.map(({ extensionName }: { extensionName: string }) => extensionName)).toEqual([
      'Com.Contoso.Referral',
      'Other',
    ]);
    const none = await client.api('/me/messages').filter("Extensions/any(f:f/id eq 'Nobody')").get();
    expect(none.value).toEqual([]);
  });
});

onAnyStore('what open extensions refuse', (bench) => {
  let client: Client;
  let path: string;

  beforeEach(async () => {
    await bench.jar.reset();
    client = await graphClient(bench);
    path = `/me/messages/${(await client.api('/me/messages').post({ subject: 'Referred' })).id}`;
  });

  it.each([
    ['no name', { x: 1 }, 400],
    ['a name with a blank', { extensionName: 'a b' }, 400],
    ['a name that is a number', { extensionName: 1 }, 400],
    ['another type', { '@odata.type': '#microsoft.graph.schemaExtension', extensionName: 'A' }, 400],
    ['an object as a value', { extensionName: 'A', value: { inner: 1 } }, 400],
    ['a list of objects', { extensionName: 'A', value: [{ inner: 1 }] }, 400],
    ['a list of lists', { extensionName: 'A', value: [[1]] }, 400],
    ['a property name with a dot', { extensionName: 'A', 'a.b': 1 }, 400],
    ['more than 64 KB', { extensionName: 'A', value: 'x'.repeat(65_536) }, 400],
    ['a list', [], 400],
  ])('%s', async (_, body, statusCode) => {
    await expect(client.api(`${path}/extensions`).post(body)).rejects.toMatchObject({ statusCode });
    expect((await client.api(`${path}/extensions`).get()).value).toEqual([]);
  });

  it('a name that the item already has (case-insensitive), and renaming an extension', async () => {
    await client.api(`${path}/extensions`).post(REFERRAL);
    await expect(
      client.api(`${path}/extensions`).post({ extensionName: 'COM.CONTOSO.REFERRAL' }),
    ).rejects.toMatchObject({ statusCode: 409, code: 'ErrorExtensionExists' });
    await expect(client.api(`${path}/extensions/${ID}`).patch({ extensionName: 'Other' })).rejects.toMatchObject({
      statusCode: 400,
    });
    await expect(client.api(path).patch({ extensions: [{ extensionName: 'B' }] })).rejects.toMatchObject({
      code: 'ErrorInvalidPropertySet',
    });
    await expect(
      client
        .api('/me/messages')
        .post({ extensions: [REFERRAL, { ...REFERRAL, extensionName: 'com.Contoso.referral' }] }),
    ).rejects.toMatchObject({ statusCode: 409 });
  });

  it('names of properties that objects have anyway are names as others are', async () => {
    const added = await client
      .api(`${path}/extensions`)
      .post({ extensionName: 'constructor', toString: 'a', hasOwnProperty: 1 });
    expect(added).toMatchObject({ extensionName: 'constructor', toString: 'a', hasOwnProperty: 1 });
    expect(await client.api(`${path}/extensions/constructor`).get()).toMatchObject({ toString: 'a' });
    await expect(client.api(`${path}/extensions/valueOf`).get()).rejects.toMatchObject({ statusCode: 404 });
  });

  it('a token with a basic permission, by $expand and by itself', async () => {
    const basic = await graphClient(bench, { scopes: ['Mail.ReadBasic'] });
    for (const expand of ['extensions', 'attachments', "singleValueExtendedProperties($filter=id eq 'String 0x4001')"])
      await expect(basic.api(path).expand(expand).get()).rejects.toMatchObject({
        statusCode: 403,
        code: 'ErrorAccessDenied',
      });
    await expect(basic.api(`${path}/extensions`).get()).rejects.toMatchObject({ statusCode: 403 });
    await expect(basic.api(`${path}/attachments`).get()).rejects.toMatchObject({ statusCode: 403 });
  });
});
