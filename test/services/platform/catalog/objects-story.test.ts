import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { all, workspaceClient } from '../sdk.ts';
import { type Ask, good, person, refusal, withoutRates } from '../support.ts';

const UC = '/api/2.1/unity-catalog';

onBothStores('data platform: other objects of a catalog', (bench) => {
  let ask: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
  });

  it('a team connects its database and its storage, and registers a model', async () => {
    const client = workspaceClient(bench, { token: await bench.jar.token({ user: 'admin' }) });
    // A database of another system, read as a catalog.
    const connection = await client.connections.create({
      name: 'orders_db',
      connection_type: 'POSTGRESQL',
      options: { host: 'db.vendor.example', port: '5432', user: 'reader', password: 'not to be seen' },
    });
    expect(connection).toMatchObject({
      name: 'orders_db',
      full_name: 'orders_db',
      connection_type: 'POSTGRESQL',
      options: { host: 'db.vendor.example', port: '5432', user: 'reader' },
      credential_type: 'USERNAME_PASSWORD',
      url: 'jdbc:postgresql://db.vendor.example:5432/',
      provisioning_info: { state: 'ACTIVE' },
    });
    const foreign = await client.catalogs.create({ name: 'orders', connection_name: 'orders_db' });
    expect(foreign).toMatchObject({ catalog_type: 'FOREIGN_CATALOG', connection_name: 'orders_db' });

    // Cloud storage: the credential and the location.
    const credential = await client.storageCredentials.create({
      name: 'lake',
      azure_service_principal: { directory_id: 'd', application_id: 'a', client_secret: 'not to be seen' },
    });
    expect(credential.azure_service_principal).toEqual({ directory_id: 'd', application_id: 'a' });
    const location = await client.externalLocations.create({
      name: 'raw',
      url: 'abfss://raw@lake.dfs.vendor.example/in',
      credential_name: 'lake',
    });
    expect(location).toMatchObject({ credential_name: 'lake', credential_id: credential.id, read_only: false });
    const { results } = await client.storageCredentials.validate({
      storage_credential_name: 'lake',
      url: 'abfss://raw@lake.dfs.vendor.example/in',
    });
    expect(results?.map(({ operation, result }) => [operation, result])).toEqual([
      ['LIST', 'SKIP'],
      ['READ', 'SKIP'],
      ['WRITE', 'SKIP'],
      ['DELETE', 'SKIP'],
      ['PATH_EXISTS', 'SKIP'],
    ]);
    await expect(client.storageCredentials.delete({ name: 'lake' })).rejects.toThrow("the external_location 'raw'");
    expect((await all(client.externalLocations.list({}))).map(({ name }) => name)).toEqual(['raw']);

    // A model with versions, one of which has an alias.
    await client.registeredModels.create({ catalog_name: 'main', schema_name: 'default', name: 'churn' });
    const versions = '/mlflow/unity-catalog/model-versions';
    const sent = { name: 'main.default.churn', source: 'dbfs:/models/churn' };
    for (const number of ['1', '2']) {
      const { model_version: made } = await good(ask('POST', `${versions}/create`, sent));
      expect(made).toMatchObject({ version: number, status: 'PENDING_REGISTRATION' });
      await good(ask('POST', `${versions}/finalize`, { name: sent.name, version: number }));
    }
    await client.registeredModels.setAlias({ full_name: sent.name, alias: 'Champion', version_num: 2 });
    expect(await client.modelVersions.getByAlias({ full_name: sent.name, alias: 'champion' })).toMatchObject({
      version: 2,
      status: 'READY',
    });
    expect((await all(client.modelVersions.list({ full_name: sent.name }))).map(({ version }) => version)).toEqual([
      2, 1,
    ]);
    await client.modelVersions.delete({ full_name: sent.name, version: 2 });
    expect(refusal(await ask('GET', `${UC}/models/${sent.name}/aliases/champion`))).toMatchObject({ status: 404 });
    const third = await good(ask('POST', `${versions}/create`, sent));
    expect(third.model_version.version).toBe('3');
    await client.registeredModels.delete({ full_name: sent.name });
    await bench.jar.settled();
    const summary = await good(ask('GET', `${UC}/metastore_summary`));
    const quota = await good(ask('GET', `${UC}/resource-quotas/metastore/${summary.metastore_id}/model-version-quota`));
    expect(quota.quota_info.quota_count).toBe(0);
  });
});
