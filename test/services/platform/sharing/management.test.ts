import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { all, workspaceClient } from '../sdk.ts';
import { type Ask, good, person, refusal, withoutRates } from '../support.ts';

const UC = '/api/2.1/unity-catalog';

onBothStores('data platform: shares, recipients and providers', (bench) => {
  let ask: Ask;
  let other: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
    other = await person(bench, 'licensed');
    await good(other('GET', '/preview/scim/v2/Me'));
  });

  const activate = (link: string) =>
    bench.call('GET', `${UC}/public/data_sharing_activation/${link.split('?')[1]}`, {});

  it('a share is made, filled, given to a recipient, and taken away', async () => {
    const client = workspaceClient(bench, { token: await bench.jar.token({ user: 'admin' }) });
    const share = await client.shares.create({ name: 'Quarter', comment: 'figures' });
    expect(share).toMatchObject({ name: 'quarter', comment: 'figures' });
    const content = Buffer.from('print(1)').toString('base64');
    const filled = await good(
      ask('PATCH', `${UC}/shares/quarter`, {
        updates: [
          { action: 'ADD', data_object: { name: 'main.default', data_object_type: 'SCHEMA', shared_as: 'figures' } },
          { action: 'ADD', data_object: { name: 'Read me', data_object_type: 'NOTEBOOK_FILE', content } },
        ],
      }),
    );
    expect(filled.objects).toEqual([
      expect.objectContaining({ name: 'Read me', data_object_type: 'NOTEBOOK_FILE', content, status: 'ACTIVE' }),
      expect.objectContaining({ name: 'main.default', data_object_type: 'SCHEMA', shared_as: 'figures' }),
    ]);
    expect((await good(ask('GET', `${UC}/shares/quarter`))).objects).toBeUndefined();
    const recipient = await client.recipients.create({ name: 'Partner', authentication_type: 'TOKEN' });
    expect(recipient).toMatchObject({ name: 'partner', activated: false, tokens: [{ id: expect.any(String) }] });
    const changes = [{ principal: 'partner', add: ['SELECT'] }];
    expect(await good(ask('PATCH', `${UC}/shares/quarter/permissions`, { changes }))).toEqual({
      privilege_assignments: [{ principal: 'partner', privileges: ['SELECT'] }],
    });
    expect(await good(ask('GET', `${UC}/permissions/share/quarter`))).toEqual({
      privilege_assignments: [{ principal: 'partner', privileges: ['SELECT'] }],
    });
    expect(await good(ask('GET', `${UC}/recipients/partner/share-permissions`))).toEqual({
      permissions_out: [
        { share_name: 'quarter', privilege_assignments: [{ principal: 'partner', privileges: ['SELECT'] }] },
      ],
    });
    await client.recipients.delete({ name: 'partner' });
    expect(await good(ask('GET', `${UC}/shares/quarter/permissions`))).toEqual({ privilege_assignments: [] });
    await client.shares.delete({ name: 'quarter' });
    await bench.jar.settled();
    expect(await all(client.shares.listShares({}))).toEqual([]);
  });

  it('updates of a share apply all or not at all', async () => {
    await good(ask('POST', `${UC}/shares`, { name: 's' }));
    const add = (name: string, rest: object = {}) => ({
      action: 'ADD',
      data_object: { name, data_object_type: 'SCHEMA', ...rest },
    });
    const update = (...updates: object[]) => ask('PATCH', `${UC}/shares/s`, { comment: 'changed', updates });
    expect(refusal(await update(add('main.default'), add('main.missing')))).toMatchObject({
      status: 404,
      code: 'SCHEMA_DOES_NOT_EXIST',
    });
    const untouched = await good(ask('GET', `${UC}/shares/s?include_shared_data=true`));
    expect([untouched.objects, untouched.comment]).toEqual([[], undefined]);
    await good(update(add('main.default')));
    expect(refusal(await update(add('main.default')))).toMatchObject({ status: 400, code: 'RESOURCE_ALREADY_EXISTS' });
    await good(ask('POST', `${UC}/schemas`, { name: 'second', catalog_name: 'main' }));
    expect(refusal(await update(add('main.second', { shared_as: 'DEFAULT' })))).toMatchObject({
      status: 400,
      message: expect.stringContaining("The name 'default' is taken"),
    });
    expect(refusal(await update({ ...add('main.second'), action: 'REMOVE' }))).toMatchObject({
      status: 404,
      code: 'RESOURCE_DOES_NOT_EXIST',
    });
    expect(refusal(await update({ ...add('main.second'), action: 'SOME' }))).toMatchObject({ status: 400 });
    const changed = {
      action: 'UPDATE',
      data_object: { name: 'main.default', data_object_type: 'SCHEMA', shared_as: 'x' },
    };
    expect((await good(update(changed))).objects).toEqual([expect.objectContaining({ shared_as: 'x' })]);
    const { quota_info: quota } = await good(ask('GET', `${UC}/resource-quotas/share/s/schema-quota`));
    expect(quota).toMatchObject({ quota_count: 1, quota_limit: 500, parent_full_name: 's' });
  });

  it('an activation link gives the token once, and a token can be replaced without a gap', async () => {
    const { activation_url: link } = await good(
      ask('POST', `${UC}/recipients`, { name: 'r', authentication_type: 'TOKEN' }),
    );
    expect(link).toMatch(/^https?:\/\/.*\/delta_sharing\/retrieve_config\.html\?[\w-]{32}$/);
    const page = await bench.call('GET', new URL(link).pathname, {});
    expect(page.headers.get('content-type')).toContain('text/html');
    const code = link.split('?')[1];
    await good(bench.call('GET', `${UC}/public/data_sharing_activation_info/${code}`, {}));
    const profiles = await Promise.all(Array.from({ length: 8 }, () => activate(link)));
    const given = profiles.filter(({ status }) => status === 200);
    expect(given).toHaveLength(1);
    expect(given[0]?.body).toEqual({
      shareCredentialsVersion: 1,
      bearerToken: expect.stringMatching(/^[\w-]{43}$/),
      endpoint: expect.stringMatching(/\/delta-sharing$/),
    });
    expect((await activate(link)).status).toBe(404);
    expect((await bench.call('GET', `${UC}/public/data_sharing_activation_info/${code}`, {})).status).toBe(404);
    expect(await good(ask('GET', `${UC}/recipients/r`))).toMatchObject({ activated: true });
    const rotate = (seconds: unknown) =>
      ask('POST', `${UC}/recipients/r/rotate-token`, { existing_token_expire_in_seconds: seconds });
    expect(refusal(await rotate(-1))).toMatchObject({ status: 400, code: 'INVALID_PARAMETER_VALUE' });
    expect(refusal(await rotate(undefined))).toMatchObject({ status: 400 });
    const rotated = await good(rotate(3600));
    expect(rotated.tokens).toHaveLength(2);
    expect(rotated.tokens[0].expiration_time).toBe(rotated.updated_at + 3_600_000);
    expect(refusal(await rotate(0))).toMatchObject({ status: 400 });
    await bench.jar.clock.advance('1h');
    expect((await good(ask('GET', `${UC}/recipients/r`))).tokens).toHaveLength(1);
    expect((await good(rotate(0))).tokens).toHaveLength(1);
  });

  it('tokens end with the time that the metastore or the recipient says', async () => {
    const { metastore_id: id } = await good(ask('GET', `${UC}/metastore_summary`));
    const lifetime = { delta_sharing_recipient_token_lifetime_in_seconds: 60 };
    await good(ask('PATCH', `${UC}/metastores/${id}`, lifetime));
    const made = await good(ask('POST', `${UC}/recipients`, { name: 'r', authentication_type: 'TOKEN' }));
    expect(made.tokens[0].expiration_time).toBe(made.created_at + 60_000);
    await bench.jar.clock.advance('61s');
    expect((await activate(made.activation_url)).status).toBe(404);
    await good(ask('PATCH', `${UC}/metastores/${id}`, { delta_sharing_scope: 'INTERNAL' }));
    expect(refusal(await ask('POST', `${UC}/recipients`, { name: 's', authentication_type: 'TOKEN' }))).toMatchObject({
      status: 400,
      code: 'INVALID_STATE',
    });
  });

  it('what a recipient may be is checked', async () => {
    const create = (body: object) => ask('POST', `${UC}/recipients`, { name: 'r', ...body });
    const { global_metastore_id: own } = await good(ask('GET', `${UC}/metastore_summary`));
    for (const body of [
      {},
      { authentication_type: 'NOTHING' },
      { authentication_type: 'DATABRICKS' },
      { authentication_type: 'DATABRICKS', data_recipient_global_metastore_id: 'nothing' },
      { authentication_type: 'DATABRICKS', data_recipient_global_metastore_id: own },
      { authentication_type: 'TOKEN', data_recipient_global_metastore_id: 'azure:x:y' },
      { authentication_type: 'TOKEN', ip_access_list: { allowed_ip_addresses: ['300.1.1.1'] } },
    ])
      expect((await create(body)).status, JSON.stringify(body)).toBe(400);
    expect((await good(ask('GET', `${UC}/recipients`))).recipients).toEqual([]);
  });

  it('another metastore of the jar finds what is shared with it at its provider', async () => {
    const { global_metastore_id: source } = await good(ask('GET', `${UC}/metastore_summary`));
    const { global_metastore_id: target, metastore_id: id } = await good(
      ask('POST', `${UC}/metastores`, { name: 'second', region: 'westus2' }),
    );
    await good(ask('POST', `${UC}/shares`, { name: 'given' }));
    const add = { action: 'ADD', data_object: { name: 'main.default', data_object_type: 'SCHEMA' } };
    await good(ask('PATCH', `${UC}/shares/given`, { updates: [add] }));
    const partner = { authentication_type: 'DATABRICKS', data_recipient_global_metastore_id: target };
    expect(await good(ask('POST', `${UC}/recipients`, { name: 'second', ...partner }))).toMatchObject({
      cloud: 'azure',
      region: 'westus2',
    });
    expect(refusal(await ask('POST', `${UC}/recipients`, { name: 'again', ...partner }))).toMatchObject({
      status: 400,
      code: 'RESOURCE_ALREADY_EXISTS',
    });
    const { workspace_id: workspace, metastore_id: before } = await good(
      ask('GET', `${UC}/current-metastore-assignment`),
    );
    const use = (metastore_id: string) =>
      good(ask('PUT', `${UC}/workspaces/${workspace}/metastore`, { metastore_id, default_catalog_name: 'main' }));
    await use(id);
    const { providers } = await good(ask('GET', `${UC}/providers`));
    expect(providers).toEqual([
      expect.objectContaining({ authentication_type: 'DATABRICKS', data_provider_global_metastore_id: source }),
    ]);
    const { name } = providers[0];
    expect(await good(ask('GET', `${UC}/providers/${name}/shares`))).toEqual({ shares: [] });
    await use(before);
    const changes = [{ principal: 'second', add: ['SELECT'] }];
    await good(ask('PATCH', `${UC}/shares/given/permissions`, { changes }));
    await use(id);
    expect(await good(ask('GET', `${UC}/providers/${name}/shares`))).toEqual({ shares: [{ name: 'given' }] });
    expect(await good(ask('GET', `/api/2.1/data-sharing/providers/${name}/shares/given`))).toMatchObject({
      share: { name: 'given' },
      tables: [],
    });
  });

  it('a provider outside is kept with its profile, whose token only those who manage it are shown', async () => {
    const profile = {
      shareCredentialsVersion: 1,
      endpoint: 'https://elsewhere.example/sharing/',
      bearerToken: 'hidden',
    };
    const create = (recipient_profile_str: unknown) =>
      ask('POST', `${UC}/providers`, { name: 'outside', authentication_type: 'TOKEN', recipient_profile_str });
    for (const bad of [undefined, 'no json', '{}', '{"endpoint":"nowhere"}'])
      expect((await create(bad)).status, String(bad)).toBe(400);
    const made = await good(create(JSON.stringify(profile)));
    expect(made.recipient_profile).toEqual({
      endpoint: 'https://elsewhere.example/sharing',
      share_credentials_version: 1,
      bearer_token: 'hidden',
    });
    expect(made.recipient_profile_str).toBeUndefined();
    expect(refusal(await ask('GET', `${UC}/providers/outside/shares`))).toMatchObject({
      status: 502,
      code: 'INTERNAL_ERROR',
      message: expect.stringContaining("The shares of the provider 'outside' cannot be listed"),
    });
  });

  it('others neither see nor change shares without being given the right', async () => {
    await good(ask('POST', `${UC}/shares`, { name: 's' }));
    await good(ask('POST', `${UC}/recipients`, { name: 'r', authentication_type: 'TOKEN' }));
    expect((await good(other('GET', `${UC}/shares`))).shares).toEqual([]);
    for (const [method, path, body] of [
      ['GET', 'shares/s', undefined],
      ['POST', 'shares', { name: 'mine' }],
      ['PATCH', 'shares/s', { comment: 'x' }],
      ['DELETE', 'shares/s', undefined],
      ['PATCH', 'shares/s/permissions', { changes: [{ principal: 'r', add: ['SELECT'] }] }],
      ['GET', 'recipients/r', undefined],
      ['POST', 'recipients/r/rotate-token', { existing_token_expire_in_seconds: 0 }],
    ] as const)
      expect((await other(method, `${UC}/${path}`, body)).status, path).toBe(403);
    const { userName } = await good(other('GET', '/preview/scim/v2/Me'));
    const { metastore_id: id } = await good(ask('GET', `${UC}/metastore_summary`));
    const changes = [{ principal: userName, add: ['USE_SHARE', 'CREATE_SHARE'] }];
    await good(ask('PATCH', `${UC}/permissions/metastore/${id}`, { changes }));
    expect((await good(other('GET', `${UC}/shares`))).shares).toHaveLength(1);
    await good(other('POST', `${UC}/shares`, { name: 'mine' }));
  });
});
