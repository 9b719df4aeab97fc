import { beforeEach, expect, it } from 'vitest';
import { SEED_TENANT } from '../../../../src/kernel/auth/index.ts';
import { accountIdOf } from '../../../../src/services/platform/accounts/found-account.ts';
import { metastoreIdOf } from '../../../../src/services/platform/catalog/core/metastore.ts';
import { onBothStores } from '../../../support/jars.ts';
import { all, workspaceClient } from '../sdk.ts';
import { type Ask, good, person, refusal, withoutRates } from '../support.ts';

const UC = '/api/2.1/unity-catalog';
const METASTORE = metastoreIdOf(accountIdOf(SEED_TENANT), 'westus2');

onBothStores('data platform: metastores, catalogs and schemas', (bench) => {
  let ask: Ask;
  let other: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
    other = await person(bench, 'licensed');
    await good(other('GET', '/preview/scim/v2/Me'));
  });

  it('a workspace starts with the metastore of its region, a catalog for all users and the system catalog', async () => {
    expect(await good(ask('GET', `${UC}/metastore_summary`))).toMatchObject({
      metastore_id: METASTORE,
      name: 'metastore_azure_westus2',
      owner: 'System user',
      region: 'westus2',
      cloud: 'azure',
      global_metastore_id: `azure:westus2:${METASTORE}`,
      delta_sharing_scope: 'INTERNAL_AND_EXTERNAL',
    });
    expect(await good(ask('GET', `${UC}/current-metastore-assignment`))).toMatchObject({
      metastore_id: METASTORE,
      default_catalog_name: 'main',
    });
    const client = workspaceClient(bench, { token: await bench.jar.token({ user: 'admin' }) });
    const catalogs = await all(client.catalogs.list({}));
    expect(catalogs.map(({ name, catalog_type }) => [name, catalog_type])).toEqual([
      ['main', 'MANAGED_CATALOG'],
      ['system', 'SYSTEM_CATALOG'],
    ]);
    const schemas = await all(client.schemas.list({ catalog_name: 'main' }));
    expect(schemas.map(({ full_name }) => full_name)).toEqual(['main.default', 'main.information_schema']);
  });

  it('a catalog is created, changed, renamed with its content, and deleted', async () => {
    const made = await good(
      ask('POST', `${UC}/catalogs`, { name: 'Sales', comment: 'all sales', properties: { a: 'b' } }),
    );
    expect(made).toMatchObject({
      name: 'sales',
      full_name: 'sales',
      comment: 'all sales',
      properties: { a: 'b' },
      catalog_type: 'MANAGED_CATALOG',
      securable_type: 'CATALOG',
      metastore_id: METASTORE,
      isolation_mode: 'OPEN',
    });
    const { owner } = made;
    const schema = await good(ask('POST', `${UC}/schemas`, { name: 'Europe', catalog_name: 'SALES' }));
    expect(schema).toMatchObject({ name: 'europe', catalog_name: 'sales', full_name: 'sales.europe', owner });
    expect(refusal(await ask('POST', `${UC}/schemas`, { name: 'europe', catalog_name: 'sales' }))).toMatchObject({
      status: 409,
      code: 'SCHEMA_ALREADY_EXISTS',
      message: "Schema 'sales.europe' already exists",
    });
    const renamed = await good(ask('PATCH', `${UC}/catalogs/sales`, { new_name: 'Revenue', comment: 'more' }));
    expect(renamed).toMatchObject({ name: 'revenue', comment: 'more', properties: { a: 'b' } });
    expect((await good(ask('GET', `${UC}/schemas/revenue.europe`))).schema_id).toBe(schema.schema_id);
    expect(refusal(await ask('GET', `${UC}/schemas/sales.europe`))).toMatchObject({
      status: 404,
      code: 'CATALOG_DOES_NOT_EXIST',
      message: "Catalog 'sales' does not exist.",
    });
    expect(refusal(await ask('DELETE', `${UC}/catalogs/revenue`))).toMatchObject({
      status: 400,
      code: 'CATALOG_NOT_EMPTY',
    });
    await good(ask('DELETE', `${UC}/catalogs/revenue?force=true`));
    expect((await ask('GET', `${UC}/catalogs/revenue`)).status).toBe(404);
    const { quota_info: quota } = await good(ask('GET', `${UC}/resource-quotas/metastore/${METASTORE}/catalog-quota`));
    expect(quota).toMatchObject({ quota_count: 1, quota_limit: 1000, parent_full_name: METASTORE });
  });

  it('an empty name, and one with a space, period, slash or control character, is refused', async () => {
    for (const name of ['a b', 'a.b', 'a/b', 'a\tb', 'a\u007fb']) {
      const { status, message } = refusal(await ask('POST', `${UC}/catalogs`, { name }));
      expect([status, message]).toEqual([
        400,
        `Invalid input: RPC CreateCatalog Field managedcatalog.CatalogInfo.name: name "${name}" is not a valid name. Valid names cannot contain spaces, periods, forward slashes, or control characters.`,
      ]);
    }
    expect(refusal(await ask('POST', `${UC}/catalogs`, { name: '' }))).toMatchObject({
      status: 400,
      code: 'INVALID_PARAMETER_VALUE',
    });
    expect((await ask('POST', `${UC}/catalogs`, { name: 'x'.repeat(255) })).status).toBe(200);
    expect((await ask('POST', `${UC}/catalogs`, { name: 'y'.repeat(256) })).status).toBe(400);
  });

  it('other users see and use only what they were granted', async () => {
    const { userName } = await good(other('GET', '/preview/scim/v2/Me'));
    await good(ask('POST', `${UC}/catalogs`, { name: 'secret' }));
    await good(ask('POST', `${UC}/schemas`, { name: 'plans', catalog_name: 'secret' }));
    const names = async (path: string, key: string) =>
      (await good(other('GET', `${UC}/${path}`)))[key].map((each: { full_name: string }) => each.full_name);
    expect(await names('catalogs', 'catalogs')).toEqual(['main']);
    expect(refusal(await other('GET', `${UC}/catalogs/secret`))).toMatchObject({
      status: 403,
      code: 'PERMISSION_DENIED',
    });
    expect(refusal(await other('POST', `${UC}/catalogs`, { name: 'mine' }))).toMatchObject({ status: 403 });
    const grant = (type: string, name: string, add: string[], remove: string[] = []) =>
      good(ask('PATCH', `${UC}/permissions/${type}/${name}`, { changes: [{ principal: userName, add, remove }] }));
    expect(await grant('catalog', 'secret', ['USE_CATALOG'])).toEqual({
      privilege_assignments: [{ principal: userName, privileges: ['USE_CATALOG'] }],
    });
    expect(await names('catalogs', 'catalogs')).toEqual(['main', 'secret']);
    expect(await names('schemas?catalog_name=secret', 'schemas')).toEqual([]);
    await grant('schema', 'secret.plans', ['USE_SCHEMA']);
    expect(await names('schemas?catalog_name=secret', 'schemas')).toEqual(['secret.plans']);
    await grant('catalog', 'secret', ['USE_SCHEMA', 'SELECT']);
    expect(await names('schemas?catalog_name=secret', 'schemas')).toEqual([
      'secret.default',
      'secret.information_schema',
      'secret.plans',
    ]);
    const effective = await good(ask('GET', `${UC}/effective-permissions/SCHEMA/secret.plans?principal=${userName}`));
    expect(effective.privilege_assignments).toEqual([
      {
        principal: userName,
        privileges: [
          { privilege: 'USE_SCHEMA' },
          { privilege: 'SELECT', inherited_from_type: 'CATALOG', inherited_from_name: 'secret' },
          { privilege: 'USE_SCHEMA', inherited_from_type: 'CATALOG', inherited_from_name: 'secret' },
        ],
      },
    ]);
    expect(refusal(await other('DELETE', `${UC}/schemas/secret.plans`))).toMatchObject({ status: 403 });
    expect(refusal(await other('POST', `${UC}/schemas`, { name: 'x', catalog_name: 'secret' }))).toMatchObject({
      status: 403,
      message: expect.stringContaining("User does not have CREATE SCHEMA on Catalog 'secret'."),
    });
    await grant('schema', 'secret.plans', ['MANAGE']);
    await good(other('DELETE', `${UC}/schemas/secret.plans`));
  });

  it('lists come in pages', async () => {
    for (const name of ['c', 'a', 'b']) await good(ask('POST', `${UC}/schemas`, { name, catalog_name: 'main' }));
    const first = await good(ask('GET', `${UC}/schemas?catalog_name=main&max_results=3`));
    expect(first.schemas.map(({ name }: { name: string }) => name)).toEqual(['a', 'b', 'c']);
    const rest = await good(
      ask('GET', `${UC}/schemas?catalog_name=main&max_results=3&page_token=${first.next_page_token}`),
    );
    expect(rest.schemas.map(({ name }: { name: string }) => name)).toEqual(['default', 'information_schema']);
    expect(rest.next_page_token).toBeUndefined();
    expect(refusal(await ask('GET', `${UC}/schemas?catalog_name=main&max_results=-1`))).toMatchObject({ status: 400 });
  });

  it('a forced removal of much content completes by due work, and frees the counts', async () => {
    await good(ask('POST', `${UC}/catalogs`, { name: 'large' }));
    for (let from = 0; from < 250; from += 25)
      await Promise.all(
        Array.from({ length: 25 }, (_, index) =>
          good(ask('POST', `${UC}/schemas`, { name: `s${from + index}`, catalog_name: 'large' })),
        ),
      );
    const { quotas } = await good(ask('GET', `${UC}/resource-quotas/all-resource-quotas`));
    const schemaQuotas = quotas.filter(({ quota_name }: { quota_name: string }) => quota_name === 'schema-quota');
    expect(schemaQuotas.map((each: Record<string, unknown>) => [each.parent_full_name, each.quota_count])).toEqual([
      ['large', 251],
      ['main', 1],
    ]);
    await good(ask('DELETE', `${UC}/catalogs/large?force=true`));
    await bench.jar.settled();
    await good(ask('POST', `${UC}/catalogs`, { name: 'large' }));
    expect((await good(ask('GET', `${UC}/schemas?catalog_name=large`))).schemas).toHaveLength(2);
    const after = await good(ask('GET', `${UC}/resource-quotas/catalog/large/schema-quota`));
    expect(after.quota_info.quota_count).toBe(1);
  });

  it('of 32 concurrent creations with one name, one succeeds', async () => {
    const replies = await Promise.all(
      Array.from({ length: 32 }, () => ask('POST', `${UC}/schemas`, { name: 'same', catalog_name: 'main' })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ body }) => body.error_code === 'SCHEMA_ALREADY_EXISTS')).toHaveLength(31);
    const { quota_info: quota } = await good(ask('GET', `${UC}/resource-quotas/catalog/main/schema-quota`));
    expect(quota.quota_count).toBe(2);
  });

  it('system objects can be read and not changed', async () => {
    for (const [method, path, body] of [
      ['PATCH', 'catalogs/system', { comment: 'x' }],
      ['DELETE', 'catalogs/system?force=true', undefined],
      ['POST', 'schemas', { name: 'x', catalog_name: 'system' }],
      ['DELETE', 'schemas/main.information_schema', undefined],
    ] as const)
      expect((await ask(method, `${UC}/${path}`, body)).status, path).toBe(403);
  });

  it('another metastore can be created, assigned, unassigned and deleted', async () => {
    const { metastore_id: id } = await good(ask('POST', `${UC}/metastores`, { name: 'second', region: 'westus2' }));
    const { workspace_id: workspace } = await good(ask('GET', `${UC}/current-metastore-assignment`));
    const assignment = { metastore_id: id, default_catalog_name: 'own' };
    await good(ask('PUT', `${UC}/workspaces/${workspace}/metastore`, assignment));
    expect((await good(ask('GET', `${UC}/catalogs`))).catalogs).toEqual([]);
    await good(ask('POST', `${UC}/catalogs`, { name: 'own' }));
    expect(refusal(await ask('DELETE', `${UC}/metastores/${id}`))).toMatchObject({
      status: 400,
      code: 'METASTORE_NOT_EMPTY',
    });
    await good(ask('DELETE', `${UC}/metastores/${id}?force=true`));
    expect(refusal(await ask('GET', `${UC}/catalogs`))).toMatchObject({
      status: 404,
      code: 'METASTORE_DOES_NOT_EXIST',
    });
    await good(ask('PUT', `${UC}/workspaces/${workspace}/metastore`, { ...assignment, metastore_id: METASTORE }));
    expect((await good(ask('GET', `${UC}/catalogs`))).catalogs).toHaveLength(2);
    expect(refusal(await other('PUT', `${UC}/workspaces/${workspace}/metastore`, assignment))).toMatchObject({
      status: 403,
    });
  });

  it('an isolated catalog is used in the workspaces that it is bound to', async () => {
    await good(ask('POST', `${UC}/catalogs`, { name: 'near' }));
    await good(ask('PATCH', `${UC}/catalogs/near`, { isolation_mode: 'ISOLATED' }));
    const { bindings } = await good(ask('GET', `${UC}/bindings/catalog/near`));
    expect(bindings).toEqual([{ workspace_id: expect.any(Number), binding_type: 'BINDING_TYPE_READ_WRITE' }]);
    const own = bindings[0].workspace_id;
    await good(ask('GET', `${UC}/catalogs/near`));
    const readOnly = { add: [{ workspace_id: own, binding_type: 'BINDING_TYPE_READ_ONLY' }] };
    await good(ask('PATCH', `${UC}/bindings/catalog/near`, readOnly));
    await good(ask('GET', `${UC}/schemas/near.default`));
    expect((await ask('POST', `${UC}/schemas`, { name: 'x', catalog_name: 'near' })).status).toBe(403);
    await good(ask('PATCH', `${UC}/bindings/catalog/near`, { remove: [{ workspace_id: own }] }));
    expect((await ask('GET', `${UC}/schemas/near.default`)).status).toBe(403);
    const shown = async (query: string) => (await good(ask('GET', `${UC}/catalogs${query}`))).catalogs.length;
    expect([await shown(''), await shown('?include_unbound=true')]).toEqual([2, 3]);
  });
});
