import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { type People, people, UC } from '../catalog/people.ts';
import { newVolume, VOLUMES, volumeClient } from '../files/support.ts';
import { control, good, person, refusal } from '../support.ts';

const CONSUMER = '/api/2.1/marketplace-consumer';
const TERMS = { accepted_consumer_terms: { version: '1' } };

/** What the catalog and what lies beside it answer to those who try. */
onBothStores('data platform: attacks on the catalog', (bench) => {
  let all: People;

  beforeEach(async () => {
    all = await people(bench);
  });

  const activate = (url: string) =>
    bench.call('GET', `${UC}/public/data_sharing_activation/${url.slice(url.indexOf('?') + 1)}`, {});

  it('half of a character is no name, since no path could have it', async () => {
    const { ask } = all;
    for (const name of ['\ud800', 'a\udc00b'])
      for (const [path, more] of [
        ['catalogs', {}],
        ['schemas', { catalog_name: 'main' }],
        ['shares', {}],
      ] as const)
        expect(refusal(await ask('POST', `${UC}/${path}`, { name, ...more })), path).toMatchObject({
          status: 400,
          code: 'INVALID_PARAMETER_VALUE',
        });
    await good(ask('POST', `${UC}/catalogs`, { name: '😀' }));
    await good(ask('GET', `${UC}/catalogs/${encodeURIComponent('😀')}`));
  });

  it('properties are texts, as typed clients read them', async () => {
    const { ask } = all;
    for (const value of [1, null, true, { b: 1 }, ['x']]) {
      const refused = { status: 400, code: 'MALFORMED_REQUEST' };
      const sent: readonly (readonly [string, object])[] = [
        ['catalogs', { name: 'c', properties: { a: value } }],
        ['catalogs', { name: 'c', options: { a: value } }],
        ['schemas', { name: 's', catalog_name: 'main', properties: { a: value } }],
        ['recipients', { name: 'r', authentication_type: 'TOKEN', properties_kvpairs: { properties: { a: value } } }],
      ];
      for (const [path, body] of sent)
        expect(refusal(await ask('POST', `${UC}/${path}`, body)), `${path} ${value}`).toMatchObject(refused);
      const changed = await ask('PATCH', `${UC}/schemas/main.default`, { properties: { a: value } });
      expect(refusal(changed)).toMatchObject(refused);
    }
  });

  it('no time is so late that a link is used up and gives no token', async () => {
    const { ask } = all;
    const recipient = (name: string, expiration_time: number) =>
      ask('POST', `${UC}/recipients`, { name, authentication_type: 'TOKEN', expiration_time });
    expect(refusal(await recipient('late', 9_000_000_000_000_000))).toMatchObject({ status: 400 });
    const last = await good(recipient('last', 253_402_300_799_999));
    expect((await good(activate(last.activation_url))).expirationTime).toBe('9999-12-31T23:59:59.999Z');
    const rotated = await good(
      ask('POST', `${UC}/recipients/last/rotate-token`, { existing_token_expire_in_seconds: 9_000_000_000_000_000 }),
    );
    expect(rotated.tokens.map((token: { expiration_time: number }) => token.expiration_time)).toEqual([
      253_402_300_799_999, 253_402_300_799_999,
    ]);
  });

  it('a token that was rotated out does not come back with a later expiration', async () => {
    const { ask } = all;
    const made = await good(ask('POST', `${UC}/recipients`, { name: 'r', authentication_type: 'TOKEN' }));
    const { bearerToken } = await good(activate(made.activation_url));
    const read = async () =>
      (await bench.call('GET', '/delta-sharing/shares', { headers: { authorization: `Bearer ${bearerToken}` } }))
        .status;
    await good(ask('POST', `${UC}/recipients/r/rotate-token`, { existing_token_expire_in_seconds: 60 }));
    const until = made.created_at + 864_000_000;
    await good(ask('PATCH', `${UC}/recipients/r`, { expiration_time: until }));
    expect(await read()).toBe(200);
    await bench.jar.clock.advance('61s');
    expect(await read()).toBe(401);
    const later = await good(ask('PATCH', `${UC}/recipients/r`, { expiration_time: until + 1000 }));
    expect(await read()).toBe(401);
    expect(later.tokens).toMatchObject([{ expiration_time: until + 1000 }]);
    // 0 is no end, as for a new recipient.
    const endless = await good(ask('PATCH', `${UC}/recipients/r`, { expiration_time: 0 }));
    expect(endless.tokens).toHaveLength(1);
    expect(endless.tokens[0].expiration_time).toBeUndefined();
    expect(await read()).toBe(401);
  });

  it('an upload that can be interrupted takes no range that is none', async () => {
    const { ask } = all;
    await good(ask('POST', VOLUMES, newVolume('landing')));
    const files = await volumeClient(bench);
    const path = '/Volumes/main/default/landing/a';
    const begun = await files.post(`files${path}?action=initiate-upload&upload_type=resumable`);
    const { session_token } = begun.resumable_upload;
    const { url } = (await files.post('create-resumable-upload-url', { path, session_token })).resumable_upload_url;
    for (const range of ['bytes 0-9/5', 'bytes 0-5/5', 'bytes 3-1/5', 'bytes 0--1/5', 'bytes 0-99999999999999999/5'])
      expect((await files.send('PUT', url, '0123456789', { 'content-range': range })).status, range).toBe(400);
    // More than the range says is passed over.
    expect((await files.send('PUT', url, '01junk', { 'content-range': 'bytes 0-1/5' })).status).toBe(308);
    expect((await files.send('PUT', url, '1234', { 'content-range': 'bytes 1-4/5' })).status).toBe(200);
    expect((await files.file('GET', path)).text).toBe('01234');
  });

  it('ranges of files may have numbers beyond every size', async () => {
    await good(all.ask('POST', VOLUMES, newVolume('landing')));
    const files = await volumeClient(bench);
    const path = '/Volumes/main/default/landing/a';
    await files.file('PUT', path, '0123456789');
    const beyond = '9'.repeat(20);
    for (const [range, status, text] of [
      [`bytes=8-${beyond}`, 206, '89'],
      [`bytes=-${beyond}`, 206, '0123456789'],
      ['Bytes=0-1', 206, '01'],
      [`bytes=${beyond}-`, 416, undefined],
    ] as const) {
      const reply = await files.file('GET', path, undefined, { range });
      expect(reply.status, range).toBe(status);
      if (text !== undefined) expect(reply.text).toBe(text);
    }
  });

  it('what is in a share has names that the open protocol can have', async () => {
    const { ask } = all;
    await good(ask('POST', `${UC}/shares`, { name: 's' }));
    const share = (shared_as: string) =>
      ask('PATCH', `${UC}/shares/s`, {
        updates: [{ action: 'ADD', data_object: { name: 'main.default', data_object_type: 'SCHEMA', shared_as } }],
      });
    for (const name of ['a\u0000b', 'a\u007f', '\ud800', 'a b', 'a/b', 'a.b', 'x'.repeat(256)])
      expect(refusal(await share(name)), name.slice(0, 10)).toMatchObject({ status: 400 });
    await good(share('daily'));
  });

  it('a catalog is not closed to everybody by a change of bindings that binds nothing, nor bound twice', async () => {
    const { ask } = all;
    await good(ask('POST', `${UC}/catalogs`, { name: 'c' }));
    const { workspace_id } = await good(ask('GET', `${UC}/current-metastore-assignment`));
    const bind = (body: object) => good(ask('PATCH', `${UC}/bindings/catalog/c`, body));
    for (const body of [{}, { add: [], remove: [] }, { remove: [{ workspace_id }] }])
      expect(await bind(body)).toEqual({ bindings: [] });
    expect(await good(ask('GET', `${UC}/catalogs/c`))).toMatchObject({ isolation_mode: 'OPEN' });
    const twice = await bind({ add: [{ workspace_id }, { workspace_id, binding_type: 'BINDING_TYPE_READ_ONLY' }] });
    expect(twice).toEqual({ bindings: [{ workspace_id, binding_type: 'BINDING_TYPE_READ_ONLY' }] });
  });

  const COMPANY = {
    name: 'Weather Ltd',
    business_contact_email: 'sales@weather.example',
    term_of_service_link: 'https://weather.example/terms',
    privacy_policy_link: 'https://weather.example/privacy',
  };

  async function offered(listingType: string): Promise<{ readonly id: string; readonly listing: object }> {
    const { ask } = all;
    const { id: provider_id } = await good(ask('POST', '/marketplace-provider/provider', { provider: COMPANY }));
    for (const name of ['weather', 'secret']) await good(ask('POST', `${UC}/shares`, { name }));
    const summary = {
      name: 'Weather',
      listingType,
      provider_id,
      share: { name: 'weather', type: 'FULL' },
      status: 'PUBLISHED',
    };
    const listing = { summary, detail: { cost: 'FREE' } };
    const { listing_id: id } = await good(ask('POST', '/marketplace-provider/listing', { listing }));
    await good(control(bench, 'PATCH', `platform/listings/${id}`, { status: 'PUBLISHED' }));
    return { id, listing };
  }

  it('a listing is changed in its own metastore only, whose shares it gives away', async () => {
    const { ask } = all;
    const { id, listing } = await offered('STANDARD');
    const second = await good(ask('POST', `${UC}/metastores`, { name: 'second', region: 'westus2' }));
    const { workspace_id: workspace } = await good(ask('GET', `${UC}/current-metastore-assignment`));
    const { metastore_id } = second;
    const assignment = { metastore_id, default_catalog_name: 'main' };
    await good(ask('PUT', `${UC}/workspaces/${workspace}/metastore`, assignment));
    await good(ask('POST', `${UC}/shares`, { name: 'weather' }));
    const absent = { status: 404, code: 'RESOURCE_DOES_NOT_EXIST' };
    const at = `/marketplace-provider/listings/${id}`;
    expect(refusal(await ask('GET', at))).toMatchObject(absent);
    expect(refusal(await ask('PUT', at, { listing }))).toMatchObject(absent);
    expect(refusal(await ask('DELETE', at))).toMatchObject(absent);
  });

  it('a request is met with a share that whoever answers manages', async () => {
    const { ask, user } = all;
    const { id: listing } = await offered('PERSONALIZED');
    const asked = { intended_use: 'tests', ...TERMS };
    const { id } = await good(ask('POST', `${CONSUMER}/listings/${listing}/personalization-requests`, asked));
    const at = `/marketplace-provider/listings/${listing}/personalization-requests/${id}/request-status`;
    const meet = { status: 'FULFILLED', share: { name: 'secret', type: 'FULL' } };
    expect(refusal(await ask('PUT', at, { ...meet, share: { name: 'none' } }))).toMatchObject({ status: 404 });
    // Another administrator of the workspace, who has nothing to say about the shares.
    const { Resources: groups } = await good(ask('GET', '/preview/scim/v2/Groups?filter=displayName+eq+%22admins%22'));
    const { Resources: users } = await good(
      ask('GET', `/preview/scim/v2/Users?filter=${encodeURIComponent(`userName eq "${user}"`)}`),
    );
    const add = { op: 'add', path: 'members', value: [{ value: users[0].id }] };
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
    await good(ask('PATCH', `/preview/scim/v2/Groups/${groups[0].id}`, { schemas, Operations: [add] }));
    const other = await person(bench, 'licensed');
    expect(refusal(await other('PUT', at, meet))).toMatchObject({ status: 403, code: 'PERMISSION_DENIED' });
    expect((await good(ask('PUT', at, meet))).request).toMatchObject({ status: 'FULFILLED' });
  });

  it('a link to read a file of the marketplace does not write it, and its type is one', async () => {
    const { ask } = all;
    const file = (mime_type: string, more: object = {}) =>
      ask('POST', '/marketplace-provider/files', {
        file_parent: { file_parent_type: 'LISTING', parent_id: 'x' },
        marketplace_file_type: 'SCREENSHOT',
        mime_type,
        ...more,
      });
    for (const type of ['a\r\nb: c', 'image/\u4e2d', 'image', 'image/png\n', 'x'.repeat(1000)])
      expect(refusal(await file(type)), type.slice(0, 20)).toMatchObject({ status: 400 });
    expect((await file('image/png', { display_name: 'x'.repeat(1001) })).status).toBe(400);
    const made = await good(file('image/svg+xml; charset=utf-8'));
    const files = await volumeClient(bench);
    expect((await files.send('PUT', made.upload_url, 'first')).status).toBe(200);
    const { file_info } = await good(ask('GET', `/marketplace-provider/files/${made.file_info.id}`));
    expect((await files.send('PUT', file_info.download_link, 'second')).status).toBe(403);
    expect((await files.send('GET', made.upload_url)).status).toBe(403);
    expect((await files.send('GET', file_info.download_link)).text).toBe('first');
  });
});
