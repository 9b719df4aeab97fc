import type { Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, expect, it } from 'vitest';
import { onAnyStore, onBothStores } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';

const ADMIN = '10000000-0000-4000-8000-000000000011';
const LICENSED = '10000000-0000-4000-8000-000000000012';

onBothStores('categories, overrides and users of a mailbox', (bench) => {
  let client: Client;

  beforeEach(async () => {
    await bench.jar.reset();
    client = await graphClient(bench, { version: 'beta' });
  });

  it('categories: six at first; they are created, shown, recolored and deleted', async () => {
    const path = '/me/outlook/masterCategories';
    expect((await client.api(path).get()).value).toHaveLength(6);
    const created = await client.api(path).post({ displayName: 'Project expenses', color: 'preset9' });
    expect(created).toMatchObject({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), color: 'preset9' });
    expect(created['@odata.context']).toMatch(/\/outlook\/masterCategories\/\$entity$/);
    expect(await client.api(`${path}/${created.id}`).patch({ color: 'None' })).toMatchObject({ color: 'none' });
    expect(await client.api(`${path}/${created.id}`).get()).toMatchObject({
      displayName: 'Project expenses',
      color: 'none',
    });
    const found = await client.api(path).filter("displayName eq 'project expenses'").get();
    expect(found.value).toEqual([{ id: created.id, displayName: 'Project expenses', color: 'none' }]);
    await client.api(`${path}/${created.id}`).delete();
    await expect(client.api(`${path}/${created.id}`).get()).rejects.toMatchObject({ code: 'ErrorItemNotFound' });
  });

  it('time zones by the names of Windows and of IANA', async () => {
    const windows = await client.api('/me/outlook/supportedTimeZones').get();
    expect(windows['@odata.context']).toMatch(/#Collection\(microsoft\.graph\.timeZoneInformation\)$/);
    expect(windows.value).toContainEqual({
      alias: 'Pacific Standard Time',
      displayName: '(UTC-08:00) Pacific Time (US & Canada)',
    });
    const named = async (argument: string) =>
      (await client.api(`/me/outlook/supportedTimeZones(TimeZoneStandard=${argument})`).get()).value;
    expect(await named("microsoft.graph.timeZoneStandard'Iana'")).toContainEqual({
      alias: 'Europe/Berlin',
      displayName: 'Europe/Berlin',
    });
    expect(await named("microsoft.graph.timeZoneStandard'Windows'")).toEqual(windows.value);
    expect(await named("microsoft.graph.timeZoneStandard''Iana''")).toContainEqual(
      expect.objectContaining({ alias: 'Asia/Tokyo' }),
    );
    await expect(named("microsoft.graph.timeZoneStandard'Klingon'")).rejects.toMatchObject({ statusCode: 400 });
  });

  it('ids are translated there and back, also after a move', async () => {
    const draft = await client.api('/me/messages').post({ subject: 'Moves' });
    const moved = await client.api(`/me/messages/${draft.id}/move`).post({ destinationId: 'archive' });
    const translate = async (inputIds: string[], sourceIdType: string, targetIdType: string) =>
      (await client.api('/me/translateExchangeIds').post({ inputIds, sourceIdType, targetIdType })).value;
    const [{ targetId: immutable }] = await translate([moved.id], 'restId', 'restImmutableEntryId');
    expect(await client.api(`/me/messages/${immutable}`).get()).toMatchObject({ id: moved.id });
    for (const [from, to] of [
      ['restImmutableEntryId', 'restId'],
      ['restImmutableEntryId', 'entryId'],
      ['restImmutableEntryId', 'immutableEntryId'],
      ['restImmutableEntryId', 'ewsId'],
    ] as const) {
      const [{ targetId }] = await translate([immutable], from, to);
      const [back] = await translate([targetId], to, 'restId');
      expect(back.targetId).toBe(moved.id);
    }
    const [wrong, folder] = await translate(['nonsense', moved.parentFolderId], 'restId', 'ewsId');
    expect(wrong).toMatchObject({ sourceId: 'nonsense', errorDetails: { code: 'ErrorInvalidIdMalformed' } });
    expect(folder.targetId.replaceAll('+', '-').replaceAll('/', '_')).toBe(moved.parentFolderId);
  });

  it('a sender has one override of how mail is classified', async () => {
    const path = '/me/inferenceClassification/overrides';
    const senderEmailAddress = { name: 'Samantha', address: 'samanthab@contoso.example' };
    const first = await client.api(path).post({ classifyAs: 'focused', senderEmailAddress });
    expect(first).toMatchObject({ classifyAs: 'focused', senderEmailAddress });
    const again = { classifyAs: 'Other', senderEmailAddress: { name: 'Sam', address: 'SamanthaB@contoso.example' } };
    expect(await client.api(path).post(again)).toMatchObject({ id: first.id, classifyAs: 'other' });
    expect((await client.api(path).get()).value).toHaveLength(1);
    expect(await client.api(`${path}/${first.id}`).patch({ classifyAs: 'focused' })).toMatchObject({
      classifyAs: 'focused',
    });
    await client.api(`${path}/${first.id}`).delete();
    expect((await client.api(path).get()).value).toEqual([]);
  });

  it('a message is marked as junk and as no junk', async () => {
    const draft = await client.api('/me/messages').post({ subject: 'Win' });
    const junk = await bench.call('POST', `/beta/me/messages/${draft.id}/markAsJunk`, { body: { moveToJunk: true } });
    const { id: folder } = await client.api('/me/mailFolders/junkemail').get();
    expect(junk).toMatchObject({ status: 202, body: { subject: 'Win', parentFolderId: folder } });
    const back = await client.api(`/me/messages/${junk.body.id}/markAsNotJunk`).post({ moveToInbox: true });
    expect(back.parentFolderId).toBe((await client.api('/me/mailFolders/inbox').get()).id);
    const stays = await client.api(`/me/messages/${back.id}/markAsJunk`).post({ moveToJunk: false });
    expect(stays.id).toBe(back.id);
    const { status } = await bench.call('POST', `/v1.0/me/messages/${back.id}/markAsJunk`, { body: {} });
    expect(status).toBe(400);
  });

  it('users: the caller, another user, all of the tenant', async () => {
    const me = await client.api('/me').get();
    expect(me).toEqual({
      '@odata.context': expect.stringMatching(/\/beta\/\$metadata#users\/\$entity$/),
      businessPhones: [],
      displayName: 'Ada Admin',
      givenName: null,
      jobTitle: null,
      mail: 'admin@vendor.example',
      mobilePhone: null,
      officeLocation: null,
      preferredLanguage: null,
      surname: null,
      userPrincipalName: 'admin@vendor.example',
      id: ADMIN,
    });
    expect(await client.api('/users/licensed@vendor.example').select('id,mail').get()).toEqual({
      '@odata.context': expect.any(String),
      id: LICENSED,
      mail: 'licensed@vendor.example',
    });
    const all = await client.api('/users').select('userPrincipalName').count(true).get();
    expect(all['@odata.count']).toBe(4);
    expect(all.value[0]).toEqual({ userPrincipalName: 'admin@vendor.example' });
    const some = await client.api('/users').filter("startswith(displayName,'Lin') or mail eq 'x@y.example'").get();
    expect(some.value).toMatchObject([{ id: LICENSED }]);
    const paged = await client.api('/users').top(3).get();
    expect((await client.api(paged['@odata.nextLink']).get()).value).toHaveLength(1);
  });
});

onAnyStore('what is refused of them', (bench) => {
  beforeEach(() => bench.jar.reset());

  it.each([
    ['without a name', {}, 400, 'RequestBodyRead'],
    ['with a comma in its name', { displayName: 'a,b' }, 400, 'RequestBodyRead'],
    ['with a color that there is not', { displayName: 'a', color: 'preset25' }, 400, 'RequestBodyRead'],
    ['whose name is taken', { displayName: 'red CATEGORY' }, 409, 'ErrorCategoryExists'],
  ])('a category %s', async (_, body, status, code) => {
    const reply = await bench.call('POST', '/v1.0/me/outlook/masterCategories', { body });
    expect(reply).toMatchObject({ status, body: { error: { code } } });
  });

  it('another name for a category', async () => {
    const [first] = (await bench.call('GET', '/v1.0/me/outlook/masterCategories')).body.value;
    const path = `/v1.0/me/outlook/masterCategories/${first.id}`;
    const reply = await bench.call('PATCH', path, { body: { displayName: 'Else' } });
    expect(reply.body.error.code).toBe('ErrorInvalidPropertySet');
    expect((await bench.call('PATCH', path, { body: { ...first, color: 'preset24' } })).body.color).toBe('preset24');
    expect((await bench.call('GET', '/v1.0/me/outlook/masterCategories/x')).body.error.code).toBe(
      'ErrorInvalidIdMalformed',
    );
  });

  it('more than 1000 ids, unknown forms and missing parameters of a translation', async () => {
    const post = async (body: unknown) =>
      (await bench.call('POST', '/v1.0/me/translateExchangeIds', { body })).body.error?.code;
    const types = { sourceIdType: 'restId', targetIdType: 'ewsId' };
    expect(await post({ inputIds: Array(1001).fill('x'), ...types })).toBe('RequestBodyRead');
    expect(await post({ inputIds: ['x'], ...types, targetIdType: 'oldId' })).toBe('RequestBodyRead');
    expect(await post({ ...types })).toBe('RequestBodyRead');
    expect(await post({ inputIds: [], ...types })).toBeUndefined();
  });

  it('users of another tenant, and others without the permission', async () => {
    const get = (path: string, token?: string) =>
      bench.call('GET', `/v1.0/${path}`, token === undefined ? {} : { token });
    expect((await get('users/other@other.example')).status).toBe(404);
    expect((await get('users/nobody@vendor.example')).status).toBe(404);
    const own = await bench.jar.token({ scope: 'User.Read' });
    expect((await get('me', own)).status).toBe(200);
    expect((await get('users/admin@vendor.example', own)).status).toBe(200);
    expect((await get('users/licensed@vendor.example', own)).status).toBe(403);
    expect((await get('users', own)).status).toBe(403);
    const all = await bench.jar.token({ scope: 'User.ReadBasic.All' });
    expect((await get('users/licensed@vendor.example', all)).status).toBe(200);
    expect((await get('users', all)).body.value).toHaveLength(4);
    expect((await get('users/licensed@vendor.example/messages', all)).status).toBe(403);
    const application = await bench.jar.token({ user: 'app' });
    expect((await get('users', application)).status).toBe(200);
    expect((await get('me', application)).status).toBe(400);
    expect((await get("users('licensed@vendor.example')", application)).body.mail).toBe('licensed@vendor.example');
    expect((await get("users('licensed@vendor.example')/mailFolders/inbox", application)).body.displayName).toBe(
      'Inbox',
    );
    expect((await bench.call('GET', '/v1.0/users', { token: null })).status).toBe(401);
    expect((await bench.call('POST', '/v1.0/me', { body: {} })).status).toBe(405);
    expect((await get("users?$filter=tenantId ne 'x'", application)).body.value).toHaveLength(4);
    expect((await get('users?$filter=true eq true) or (true eq true', application)).status).toBe(400);
  });
});
