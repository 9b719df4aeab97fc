import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { inWorkspace } from '../accounts/support.ts';
import { ACCOUNT, all as gather, workspaceClient } from '../sdk.ts';
import { type Ask, good, refusal } from '../support.ts';
import { granting, type People, people, ROLE, UC } from './people.ts';

onAnyStore('data platform: features of a metastore for all of its workspaces', (bench) => {
  let all: People;
  let ask: Ask;
  let other: Ask;

  beforeEach(async () => {
    all = await people(bench);
    ({ ask, other } = all);
  });

  it('system schemas are enabled once, can be read, and are disabled again', async () => {
    const client = workspaceClient(bench, { token: await bench.jar.token({ user: 'admin' }) });
    const { systemSchemas } = client;
    const at = { metastore_id: all.metastore };
    const states = async () =>
      Object.fromEntries((await gather(systemSchemas.list(at))).map(({ schema, state }) => [schema, state]));
    expect(await states()).toEqual({
      access: 'AVAILABLE',
      billing: 'AVAILABLE',
      compute: 'AVAILABLE',
      information_schema: 'ENABLE_COMPLETED',
      lineage: 'AVAILABLE',
      marketplace: 'AVAILABLE',
      operational_data: 'AVAILABLE',
      query: 'AVAILABLE',
      serving: 'AVAILABLE',
      storage: 'AVAILABLE',
    });
    const path = `${UC}/metastores/${all.metastore}/systemschemas`;
    await systemSchemas.enable({ ...at, schema_name: 'billing' });
    expect((await states()).billing).toBe('ENABLE_COMPLETED');
    expect((await good(ask('GET', `${UC}/schemas/system.billing`))).owner).toBe('System user');
    expect(refusal(await ask('PUT', `${path}/billing`))).toMatchObject({
      status: 400,
      message: "System schema 'billing' is already enabled.",
    });
    await systemSchemas.disable({ ...at, schema_name: 'billing' });
    expect((await states()).billing).toBe('AVAILABLE');
    expect((await ask('DELETE', `${path}/billing`)).status).toBe(400);
    expect((await ask('DELETE', `${path}/information_schema`)).status).toBe(400);
    expect((await ask('PUT', `${path}/nothing`)).status).toBe(400);
    expect((await ask('GET', `${UC}/metastores/none/systemschemas`)).status).toBe(404);
    expect((await other('GET', path)).status).toBe(403);
    expect((await other('PUT', `${path}/access`)).status).toBe(403);
    const first = await good(ask('GET', `${path}?max_results=4`));
    expect(first.schemas).toHaveLength(4);
    expect((await good(ask('GET', `${path}?max_results=8&page_token=${first.next_page_token}`))).schemas).toHaveLength(
      6,
    );
    const { metastore_id: bare } = await good(ask('POST', `${UC}/metastores`, { name: 'bare' }));
    const { schemas } = await good(ask('GET', `${UC}/metastores/${bare}/systemschemas`));
    expect(new Set(schemas.map(({ state }: { state: string }) => state))).toEqual(new Set(['UNAVAILABLE']));
  });

  it('a system schema that is enabled by concurrent calls is enabled once', async () => {
    const path = `${UC}/metastores/${all.metastore}/systemschemas/query`;
    const replies = await Promise.all(Array.from({ length: 8 }, () => ask('PUT', path)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('artifacts are allowed by type', async () => {
    const client = workspaceClient(bench, { token: await bench.jar.token({ user: 'admin' }) });
    const { artifactAllowlists } = client;
    const matcher = { artifact: '/Volumes/main/default/jars/', match_type: 'PREFIX_MATCH' as const };
    expect(await artifactAllowlists.get({ artifact_type: 'LIBRARY_JAR' })).toEqual({
      artifact_matchers: [],
      metastore_id: all.metastore,
    });
    await artifactAllowlists.update({ artifact_type: 'LIBRARY_JAR', artifact_matchers: [matcher] });
    expect(await artifactAllowlists.get({ artifact_type: 'LIBRARY_JAR' })).toMatchObject({
      artifact_matchers: [matcher],
      created_at: expect.any(Number),
      created_by: expect.stringContaining('@'),
    });
    const path = `${UC}/artifact-allowlists`;
    expect((await good(ask('GET', `${path}/LIBRARY_MAVEN`))).artifact_matchers).toEqual([]);
    for (const body of [
      {},
      { artifact_matchers: [{ artifact: 'x' }] },
      { artifact_matchers: [{ match_type: 'PREFIX_MATCH' }] },
      { artifact_matchers: [{ artifact: 'x', match_type: 'EXACT' }] },
      { artifact_matchers: Array.from({ length: 1001 }, () => matcher) },
    ])
      expect((await ask('PUT', `${path}/INIT_SCRIPT`, body)).status).toBe(400);
    expect((await ask('GET', `${path}/WHEEL`)).status).toBe(400);
    expect((await other('GET', `${path}/LIBRARY_JAR`)).status).toBe(403);
    await granting(all, 'metastore', all.metastore, ['MANAGE_ALLOWLIST']);
    await good(other('PUT', `${path}/INIT_SCRIPT`, { artifact_matchers: [] }));
  });

  it('a deleted workspace loses its metastore and what was bound to it', async () => {
    const body = { workspace_name: 'second', location: 'westus2' };
    const { workspace_id: id } = await good(ask('POST', `/accounts/${ACCOUNT}/workspaces`, body));
    await bench.jar.clock.advance('1m');
    const there = inWorkspace(ask, id);
    await good(there('GET', `${UC}/catalogs`));
    await good(
      ask('POST', `${UC}/storage-credentials`, { name: 'c', ...ROLE, isolation_mode: 'ISOLATION_MODE_ISOLATED' }),
    );
    await good(ask('PATCH', `${UC}/bindings/credential/c`, { add: [{ workspace_id: id }] }));
    const workspaces = `/accounts/${ACCOUNT}/metastores/${all.metastore}/workspaces`;
    expect((await good(ask('GET', workspaces))).workspace_ids).toContain(id);
    expect((await good(ask('GET', `${UC}/bindings/credential/c`))).bindings).toHaveLength(2);
    await good(ask('DELETE', `/accounts/${ACCOUNT}/workspaces/${id}`));
    await bench.jar.settled();
    expect((await good(ask('GET', workspaces))).workspace_ids).not.toContain(id);
    expect((await good(ask('GET', `${UC}/bindings/credential/c`))).bindings).toHaveLength(1);
  });

  it('a metastore deleted with force is removed with everything in it', async () => {
    const { metastore_id: id } = await good(ask('POST', `${UC}/metastores`, { name: 'second' }));
    const { workspace_id: workspace } = await good(ask('GET', `${UC}/current-metastore-assignment`));
    await good(ask('PUT', `${UC}/workspaces/${workspace}/metastore`, { metastore_id: id, default_catalog_name: 'x' }));
    await good(ask('POST', `${UC}/storage-credentials`, { name: 'c', ...ROLE }));
    await good(ask('POST', `${UC}/external-locations`, { name: 'l', url: 's3://b/p', credential_name: 'c' }));
    await good(ask('PUT', `${UC}/artifact-allowlists/INIT_SCRIPT`, { artifact_matchers: [] }));
    const pair = { source: { path: { url: 's3://a' } }, target: { path: { url: 's3://b/p' } } };
    await good(ask('POST', '/lineage-tracking/external-lineage', pair));
    expect((await ask('DELETE', `${UC}/metastores/${id}`)).status).toBe(400);
    await good(ask('DELETE', `${UC}/metastores/${id}?force=true`));
    await bench.jar.settled();
    expect((await ask('GET', `${UC}/metastores/${id}`)).status).toBe(404);
  });
});
