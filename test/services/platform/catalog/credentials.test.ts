import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { ACCOUNT, accountClient } from '../sdk.ts';
import { type Ask, good, refusal } from '../support.ts';
import { granting, type People, people, ROLE, UC } from './people.ts';

const SECRET = { directory_id: 'd', application_id: 'a', client_secret: 'hidden-2' };

onAnyStore('data platform: storage and service credentials', (bench) => {
  let all: People;
  let ask: Ask;
  let other: Ask;

  beforeEach(async () => {
    all = await people(bench);
    ({ ask, other } = all);
  });

  it('both APIs share one name space; the older one has only credentials for storage', async () => {
    const stored = await good(ask('POST', `${UC}/storage-credentials`, { name: 'Store', ...ROLE, comment: 'c' }));
    expect(stored).toMatchObject({
      name: 'store',
      full_name: 'store',
      comment: 'c',
      read_only: false,
      used_for_managed_storage: false,
      isolation_mode: 'ISOLATION_MODE_OPEN',
      aws_iam_role: {
        role_arn: 'arn:aws:iam::1:role/r',
        external_id: stored.id,
        unity_catalog_iam_arn: expect.any(String),
      },
    });
    expect(stored).not.toHaveProperty('purpose');
    expect(stored).not.toHaveProperty('skip_validation');
    const serving = await good(ask('POST', `${UC}/credentials`, { name: 'serve', purpose: 'SERVICE', ...ROLE }));
    expect(serving).toMatchObject({ purpose: 'SERVICE', id: expect.any(String) });
    expect(refusal(await ask('POST', `${UC}/credentials`, { name: 'store', ...ROLE }))).toMatchObject({
      status: 409,
      code: 'CREDENTIAL_ALREADY_EXISTS',
    });
    expect(refusal(await ask('GET', `${UC}/storage-credentials/serve`))).toMatchObject({
      status: 404,
      code: 'CREDENTIAL_DOES_NOT_EXIST',
      message: "Credential 'serve' does not exist.",
    });
    expect((await ask('PATCH', `${UC}/storage-credentials/serve`, { comment: 'x' })).status).toBe(404);
    expect((await ask('DELETE', `${UC}/storage-credentials/serve`)).status).toBe(404);
    const names = async (path: string, member: string) =>
      (await good(ask('GET', `${UC}/${path}`)))[member].map(({ name }: { name: string }) => name);
    expect(await names('storage-credentials', 'storage_credentials')).toEqual(['store']);
    expect(await names('credentials', 'credentials')).toEqual(['serve', 'store']);
    expect(await names('credentials?purpose=SERVICE', 'credentials')).toEqual(['serve']);
    expect((await ask('GET', `${UC}/credentials?purpose=BOTH`)).status).toBe(400);
    expect((await good(ask('GET', `${UC}/credentials/store`))).purpose).toBe('STORAGE');
    const quota = await good(ask('GET', `${UC}/resource-quotas/metastore/${all.metastore}/storage-credential-quota`));
    expect(quota.quota_info).toMatchObject({ quota_count: 2, quota_limit: 200 });
  });

  it.each([
    [{}, 'exactly one of aws_iam_role'],
    [{ ...ROLE, azure_service_principal: SECRET }, 'not aws_iam_role and azure_service_principal'],
    [{ aws_iam_role: {} }, 'Missing required field: aws_iam_role.role_arn'],
    [{ azure_managed_identity: {} }, 'Missing required field: azure_managed_identity.access_connector_id'],
    [{ azure_service_principal: { directory_id: 'd', application_id: 'a' } }, 'azure_service_principal.client_secret'],
    [{ cloudflare_api_token: { account_id: 'a', access_key_id: 'k' } }, 'cloudflare_api_token.secret_access_key'],
    [{ ...ROLE, isolation_mode: 'OPEN' }, "'isolation_mode' must be one of"],
    [{ ...ROLE, read_only: 'yes' }, "'read_only' must be a boolean"],
  ])('%j is refused', async (body, message) => {
    expect(refusal(await ask('POST', `${UC}/storage-credentials`, { name: 'x', ...body }))).toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
    });
  });

  it.each([
    [
      'azure_managed_identity',
      { access_connector_id: 'c', managed_identity_id: 'm' },
      { access_connector_id: 'c', managed_identity_id: 'm', credential_id: expect.any(String) },
    ],
    ['azure_service_principal', SECRET, { directory_id: 'd', application_id: 'a' }],
    ['databricks_gcp_service_account', {}, { credential_id: expect.any(String), email: expect.stringContaining('@') }],
    [
      'cloudflare_api_token',
      { account_id: 'a', access_key_id: 'k', secret_access_key: 'hidden-3' },
      { account_id: 'a', access_key_id: 'k' },
    ],
  ])('%s is shown without its secret', async (name, sent, shown) => {
    const made = await ask('POST', `${UC}/storage-credentials`, { name: 'x', [name]: sent, skip_validation: true });
    expect(made.body[name]).toEqual(shown);
    expect((await good(ask('GET', `${UC}/storage-credentials/x`)))[name]).toEqual(shown);
    expect(made.text).not.toContain('hidden');
  });

  it('an identity is replaced by another; with locations that needs force', async () => {
    await good(ask('POST', `${UC}/storage-credentials`, { name: 'c', azure_service_principal: SECRET }));
    const changed = await good(
      ask('PATCH', `${UC}/storage-credentials/c`, { ...ROLE, new_name: 'd', read_only: true }),
    );
    expect(changed).toMatchObject({ name: 'd', read_only: true, aws_iam_role: { role_arn: 'arn:aws:iam::1:role/r' } });
    expect(changed).not.toHaveProperty('azure_service_principal');
    await good(ask('POST', `${UC}/external-locations`, { name: 'l', url: 's3://b/p', credential_name: 'd' }));
    await good(ask('PATCH', `${UC}/storage-credentials/d`, { comment: 'still allowed' }));
    const next = { aws_iam_role: { role_arn: 'arn:aws:iam::2:role/r' } };
    expect(refusal(await ask('PATCH', `${UC}/storage-credentials/d`, next))).toMatchObject({
      status: 400,
      code: 'INVALID_STATE',
      message: expect.stringContaining("the external_location 'l'"),
    });
    await good(ask('PATCH', `${UC}/storage-credentials/d`, { ...next, force: true }));
    expect((await ask('DELETE', `${UC}/storage-credentials/d`)).status).toBe(400);
    await good(ask('DELETE', `${UC}/credentials/d?force=true`));
    expect(await good(ask('GET', `${UC}/external-locations/l`))).toMatchObject({ credential_name: 'd' });
  });

  it('each purpose has its own privilege; owners and holders of privileges see a credential', async () => {
    const service = { name: 's', purpose: 'SERVICE', ...ROLE };
    const storage = { name: 't', ...ROLE };
    await granting(all, 'metastore', all.metastore, ['CREATE_SERVICE_CREDENTIAL']);
    expect(refusal(await other('POST', `${UC}/storage-credentials`, storage))).toMatchObject({
      status: 403,
      message: expect.stringContaining('CREATE STORAGE CREDENTIAL'),
    });
    await good(other('POST', `${UC}/credentials`, service));
    await good(ask('POST', `${UC}/storage-credentials`, storage));
    const seen = async () => (await good(other('GET', `${UC}/credentials`))).credentials.length;
    expect(await seen()).toBe(1);
    await granting(all, 'storage_credential', 't', ['READ_FILES']);
    expect(await seen()).toBe(2);
    expect((await other('PATCH', `${UC}/credentials/t`, { comment: 'x' })).status).toBe(403);
    await granting(all, 'credential', 't', ['MANAGE']);
    await good(other('PATCH', `${UC}/credentials/t`, { comment: 'x', owner: all.user }));
    expect((await good(other('GET', `${UC}/credentials/t`))).owner).toBe(all.user);
  });

  it('an isolated credential is used in the workspaces that it is bound to', async () => {
    await good(
      ask('POST', `${UC}/storage-credentials`, { name: 'c', ...ROLE, isolation_mode: 'ISOLATION_MODE_ISOLATED' }),
    );
    const { bindings } = await good(ask('GET', `${UC}/bindings/storage_credential/c`));
    expect(bindings).toHaveLength(1);
    const [{ workspace_id }] = bindings;
    await good(ask('PATCH', `${UC}/bindings/credential/c`, { remove: [{ workspace_id }] }));
    expect((await ask('GET', `${UC}/storage-credentials/c`)).status).toBe(403);
    const location = { name: 'l', url: 's3://b/p', credential_name: 'c' };
    expect((await ask('POST', `${UC}/external-locations`, location)).status).toBe(403);
    const count = async (query: string) =>
      (await good(ask('GET', `${UC}/storage-credentials${query}`))).storage_credentials.length;
    expect([await count(''), await count('?include_unbound=true')]).toEqual([0, 1]);
  });

  it('the account has the storage credentials of its metastores', async () => {
    const client = accountClient(bench, { token: await bench.jar.token({ user: 'admin' }) });
    const { accountStorageCredentials: storageCredentials } = client;
    const at = { metastore_id: all.metastore };
    const made = await storageCredentials.create({
      ...at,
      credential_info: { name: 'acc', azure_service_principal: SECRET },
    });
    expect(made.credential_info).toMatchObject({ name: 'acc', azure_service_principal: { application_id: 'a' } });
    const one = { ...at, storage_credential_name: 'acc' };
    expect((await storageCredentials.get(one)).credential_info?.id).toBe(made.credential_info?.id);
    const path = `/accounts/${ACCOUNT}/metastores/${all.metastore}/storage-credentials`;
    const changed = await good(ask('PUT', `${path}/acc`, { credential_info: { comment: 'new' } }));
    expect(changed.credential_info.comment).toBe('new');
    expect((await good(ask('GET', path))).storage_credentials).toHaveLength(1);
    expect((await good(ask('GET', `${UC}/storage-credentials`))).storage_credentials).toHaveLength(1);
    expect((await other('GET', path)).status).toBe(403);
    await storageCredentials.delete(one);
    expect((await ask('GET', `${path}/acc`)).status).toBe(404);
    expect((await ask('GET', `/accounts/${ACCOUNT}/metastores/none/storage-credentials`)).status).toBe(404);
  });

  it('a validation checks stored records, and skips checks that would need a cloud', async () => {
    await good(ask('POST', `${UC}/storage-credentials`, { name: 'c', ...ROLE }));
    await good(
      ask('POST', `${UC}/external-locations`, { name: 'l', url: 's3://b/p', credential_name: 'c', read_only: true }),
    );
    const validate = async (body: object) => {
      const { results } = await good(ask('POST', `${UC}/validate-storage-credentials`, body));
      return results.map(({ operation, result }: Record<string, string>) => `${operation} ${result}`);
    };
    const every = (result: string) =>
      ['LIST', 'READ', 'WRITE', 'DELETE', 'PATH_EXISTS'].map((each) => `${each} ${result}`);
    expect(await validate({ storage_credential_name: 'c', url: 's3://b/p' })).toEqual(every('SKIP'));
    expect(await validate({ storage_credential_name: 'c', url: 'gs://b/p' })).toEqual(every('FAIL'));
    expect(await validate({ ...ROLE, url: 'nothing' })).toEqual(every('FAIL'));
    expect(await validate({ azure_service_principal: SECRET, external_location_name: 'l' })).toEqual([
      'LIST FAIL',
      'READ FAIL',
      'WRITE SKIP',
      'DELETE SKIP',
      'PATH_EXISTS FAIL',
    ]);
    expect(await validate({ external_location_name: 'l' })).toEqual(every('SKIP'));
    expect((await ask('POST', `${UC}/validate-storage-credentials`, ROLE)).status).toBe(400);
    expect((await ask('POST', `${UC}/validate-storage-credentials`, { url: 's3://b' })).status).toBe(400);
    expect(
      (await other('POST', `${UC}/validate-storage-credentials`, { storage_credential_name: 'c', url: 's3://b' }))
        .status,
    ).toBe(403);
    const service = await good(ask('POST', `${UC}/validate-credentials`, { ...ROLE, purpose: 'SERVICE' }));
    expect(service.results).toEqual([{ result: 'SKIP', message: expect.any(String) }]);
  });

  it('a service credential gives tokens of an hour to holders of ACCESS', async () => {
    await good(
      ask('POST', `${UC}/credentials`, {
        name: 's',
        purpose: 'SERVICE',
        azure_managed_identity: { access_connector_id: 'c' },
      }),
    );
    const path = `${UC}/temporary-service-credentials`;
    expect((await other('POST', path, { credential_name: 's' })).status).toBe(403);
    await granting(all, 'credential', 's', ['ACCESS']);
    const first = await good(
      other('POST', path, { credential_name: 's', azure_options: { resources: ['https://r'] } }),
    );
    const now = bench.jar.clock.now().getTime();
    expect(first).toEqual({ azure_aad: { aad_token: expect.any(String) }, expiration_time: now + 3_600_000 });
    await good(ask('POST', `${UC}/storage-credentials`, { name: 't', ...ROLE }));
    expect(refusal(await ask('POST', path, { credential_name: 't' }))).toMatchObject({ status: 400 });
    expect(refusal(await ask('POST', path, {}))).toMatchObject({ message: 'Missing required field: credential_name' });
  });
});
