import { AccountClient, WorkspaceClient } from '@databricks/sdk-experimental';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { accountOf, GROUPS, group, list, USERS, withoutRates, workspaceOf } from '../scim/support.ts';
import { type Ask, control, good, person, refusal } from '../support.ts';
import { inWorkspace } from './support.ts';

const SNIPPETS = '/preview/sql/query_snippets';

onBothStores('data platform: workspaces of an account', (bench) => {
  let admin: Ask;
  let account: string;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    admin = await person(bench);
    account = await accountOf(bench);
  });

  it('the published client creates a workspace, assigns people to it, and works in it', async () => {
    const token = await bench.jar.token({ user: 'admin', ttl: '3650d' });
    const config = { host: bench.jar.url, token, accountId: account, experimentalIsUnifiedHost: true };
    const client = new AccountClient(config);
    // The client converts an answer that is a list to an object.
    const [first] = Object.values(await client.workspaces.list());
    expect(first).toMatchObject({ workspace_name: 'default', workspace_status: 'RUNNING', account_id: account });
    const made = await good(
      admin('POST', `/accounts/${account}/workspaces`, { workspace_name: 'lab', location: 'eastus' }),
    );
    expect(made).toMatchObject({ workspace_name: 'lab', location: 'eastus', workspace_status: 'PROVISIONING' });
    await bench.jar.clock.advance('1m');
    const lab = await client.workspaces.get({ workspace_id: made.workspace_id });
    expect(lab.workspace_status).toBe('RUNNING');
    const licensed = await person(bench, 'licensed');
    const there = inWorkspace(licensed, made.workspace_id);
    expect(refusal(await there('GET', SNIPPETS))).toMatchObject({
      status: 403,
      message: expect.stringContaining('Unauthorized access to workspace'),
    });
    const { id } = await good(licensed('GET', '/preview/scim/v2/Me'));
    const assigned = await client.workspaceAssignment.update({
      workspace_id: made.workspace_id,
      principal_id: Number(id),
      permissions: ['USER'],
    });
    expect(assigned).toMatchObject({ permissions: ['USER'], principal: { principal_id: Number(id) } });
    await good(there('POST', SNIPPETS, { trigger: 'a', snippet: 'SELECT 1' }));
    expect(await good(licensed('GET', SNIPPETS))).toEqual([]);
    const listed = await good(
      admin('GET', `/accounts/${account}/workspaces/${made.workspace_id}/permissionassignments`),
    );
    expect(
      listed.permission_assignments.map(({ permissions }: { permissions: string[] }) => permissions).sort(),
    ).toEqual([['ADMIN'], ['USER']]);
    const inLab = new WorkspaceClient({ ...config, workspaceId: String(made.workspace_id) });
    const me = await inLab.currentUser.me();
    expect(me.groups?.map(({ display }) => display)).toContain('admins');
    await client.workspaceAssignment.delete({ workspace_id: made.workspace_id, principal_id: Number(id) });
    expect((await there('GET', SNIPPETS)).status).toBe(403);
  });

  it('a group of the account brings its members, who are found and filtered in the workspace', async () => {
    const scim = `/accounts/${account}/scim/v2`;
    const eve = await good(admin('POST', `${scim}/Users`, { userName: 'eve@contoso.example' }));
    const staff = await good(admin('POST', `${scim}/Groups`, { displayName: 'staff', members: [{ value: eve.id }] }));
    expect((await admin('GET', `${USERS}/${eve.id}`)).status).toBe(404);
    const workspace = await workspaceOf(admin);
    const path = `/accounts/${account}/workspaces/${workspace}/permissionassignments/principals`;
    await good(admin('PUT', `${path}/${staff.id}`, { permissions: ['USER'] }));
    expect(await good(admin('GET', `${USERS}/${eve.id}`))).toMatchObject({
      groups: expect.arrayContaining([expect.objectContaining({ display: 'staff', type: 'direct' })]),
    });
    const found = await list(admin, USERS, { filter: 'userName sw "eve"' });
    expect(found).toMatchObject({ totalResults: 1, Resources: [{ id: eve.id }] });
    expect((await list(admin, GROUPS, { filter: 'displayName eq staff' })).Resources).toMatchObject([
      { id: staff.id, meta: { resourceType: 'Group' } },
    ]);
    expect((await admin('DELETE', `${USERS}/${eve.id}`)).status).toBe(400);
    expect((await admin('PUT', `${GROUPS}/${staff.id}`, { displayName: 'other' })).status).toBe(403);
    await good(
      admin('PUT', `${GROUPS}/${staff.id}`, {
        displayName: 'staff',
        members: [{ value: eve.id }],
        entitlements: [{ value: 'allow-cluster-create' }],
      }),
    );
    await good(admin('PUT', `${path}/${staff.id}`, { permissions: [] }));
    expect((await admin('GET', `${USERS}/${eve.id}`)).status).toBe(404);
  });

  it('a deleted workspace takes everything in it along, and its groups are no longer counted', async () => {
    const { workspace_id: id } = await good(
      admin('POST', `/accounts/${account}/workspaces`, { workspace_name: 'gone' }),
    );
    const there = inWorkspace(admin, id);
    await good(there('POST', SNIPPETS, { trigger: 'a', snippet: 'SELECT 1' }));
    const outer = await group(there, 'outer');
    await group(there, 'inner', outer.id);
    await control(bench, 'PATCH', 'limits', { name: 'platform.groups', limit: 2 });
    expect((await admin('POST', GROUPS, { displayName: 'one more' })).status).toBe(400);
    await good(admin('DELETE', `/accounts/${account}/workspaces/${id}`));
    expect((await there('GET', SNIPPETS)).status).toBe(403);
    expect((await admin('GET', `/accounts/${account}/workspaces/${id}`)).status).toBe(404);
    await bench.jar.clock.advance('1s');
    await group(admin, 'one more');
    await group(admin, 'two more');
    const { body } = await control(bench, 'GET', 'changes?%24top=200');
    expect(JSON.stringify(body)).toContain(`/workspaces/${id}`);
    const first = await workspaceOf(admin);
    expect(refusal(await admin('DELETE', `/accounts/${account}/workspaces/${first}`))).toMatchObject({
      status: 400,
      code: 'INVALID_STATE',
    });
  });

  it('runs, schedules, files, clusters and secrets of a deleted workspace end with it', async () => {
    const { workspace_id: id } = await good(
      admin('POST', `/accounts/${account}/workspaces`, { workspace_name: 'gone' }),
    );
    const there = inWorkspace(admin, id);
    const tasks = [{ task_key: 'long', spark_jar_task: { main_class_name: 'Main', cloudjar: 'sleep 3600' } }];
    const schedule = { quartz_cron_expression: '0 0 * * * ?', timezone_id: 'UTC' };
    const { job_id } = await good(there('POST', '/api/2.2/jobs/create', { name: 'hourly', tasks, schedule }));
    await good(there('POST', '/api/2.2/jobs/run-now', { job_id }));
    await good(there('POST', '/workspace/mkdirs', { path: '/Shared/a/b' }));
    await good(there('POST', '/dbfs/put', { path: '/x/y', contents: Buffer.from('bytes').toString('base64') }));
    await good(there('POST', '/secrets/scopes/create', { scope: 'keys' }));
    await good(there('POST', '/token/create', { comment: 'mine' }));
    await good(there('POST', '/sql/warehouses', { name: 'w', cluster_size: 'Small' }));
    await bench.jar.clock.advance('1m');
    await good(admin('DELETE', `/accounts/${account}/workspaces/${id}`));
    await bench.jar.clock.advance('2d');
    const { body } = await control(bench, 'GET', 'work?%24top=200');
    const left = (body.value as { kind: string; payload?: unknown }[]).filter((item) =>
      JSON.stringify(item).includes(String(id)),
    );
    expect(left).toEqual([]);
    const { body: changes } = await control(bench, 'GET', 'changes?%24top=500');
    expect(JSON.stringify(changes)).toContain(`/${id}/tokens/`);
  });

  it('an invalid request is refused with a reason and changes nothing', async () => {
    const path = `/accounts/${account}/workspaces`;
    const cases: [string, string, unknown, object][] = [
      [
        'POST',
        path,
        {},
        { status: 400, code: 'INVALID_PARAMETER_VALUE', message: 'Missing required field: workspace_name' },
      ],
      ['POST', path, { workspace_name: 7 }, { status: 400, code: 'MALFORMED_REQUEST' }],
      ['POST', path, { workspace_name: 'x', pricing_tier: 'GOLD' }, { status: 400, code: 'INVALID_PARAMETER_VALUE' }],
      ['GET', `${path}/123`, undefined, { status: 404, code: 'RESOURCE_DOES_NOT_EXIST' }],
      ['PATCH', `${path}/123`, {}, { status: 404 }],
      ['DELETE', `${path}/123`, undefined, { status: 404 }],
      ['PUT', `${path}/123/permissionassignments/principals/1`, { permissions: ['USER'] }, { status: 404 }],
    ];
    for (const [method, at, body, expected] of cases)
      expect(refusal(await admin(method, at, body)), `${method} ${at}`).toMatchObject(expected);
    const [own] = await good(admin('GET', path));
    const assignments = `${path}/${own.workspace_id}/permissionassignments/principals`;
    expect(refusal(await admin('PUT', `${assignments}/1`, { permissions: ['USER'] }))).toMatchObject({ status: 404 });
    const { id: me } = await good(admin('GET', '/preview/scim/v2/Me'));
    expect(refusal(await admin('PUT', `${assignments}/${me}`, { permissions: 'ADMIN' }))).toMatchObject({
      status: 400,
      code: 'MALFORMED_REQUEST',
    });
    expect(refusal(await admin('PUT', `${assignments}/${me}`, { permissions: ['USER'] }))).toMatchObject({
      status: 400,
      message: expect.stringMatching(/^The last active administrator of the workspace/),
    });
    expect(refusal(await admin('DELETE', `${assignments}/${me}`))).toMatchObject({ status: 400 });
    expect(await good(admin('GET', path))).toHaveLength(1);
    const stranger = await person(bench, 'other');
    expect((await stranger('GET', path)).status).toBe(403);
    const licensed = await person(bench, 'licensed');
    expect(refusal(await licensed('GET', path))).toMatchObject({ status: 403, code: 'PERMISSION_DENIED' });
  });

  it('a workspace is changed by the fields of the mask, and counted at its network configuration', async () => {
    const path = `/accounts/${account}/workspaces`;
    const { workspace_id: id } = await good(
      admin('POST', path, { workspace_name: 'a', deployment_name: 'dep', custom_tags: { team: 'x' } }),
    );
    expect(refusal(await admin('POST', path, { workspace_name: 'b', deployment_name: 'DEP' }))).toMatchObject({
      status: 409,
    });
    const changed = await good(
      admin('PATCH', `${path}/${id}?update_mask=workspace_name,custom_tags`, {
        workspace_name: 'b',
        pricing_tier: 'STANDARD',
      }),
    );
    expect(changed).toMatchObject({ workspace_name: 'b', pricing_tier: 'PREMIUM', deployment_name: 'dep' });
    expect(changed).not.toHaveProperty('custom_tags');
    await control(bench, 'PATCH', 'limits', { name: 'platform.configuration-workspaces', limit: 1 });
    const networks = `/accounts/${account}/network-connectivity-configs`;
    const region = changed.location;
    const network = await good(admin('POST', networks, { name: 'ncc-1', region }));
    const { network_connectivity_config_id } = network;
    await good(admin('PATCH', `${path}/${id}`, { network_connectivity_config_id }));
    const attached = { workspace_name: 'c', location: region, network_connectivity_config_id };
    expect(refusal(await admin('POST', path, attached))).toMatchObject({
      status: 400,
      code: 'RESOURCE_LIMIT_EXCEEDED',
    });
    await good(admin('DELETE', `${path}/${id}`));
    await good(admin('POST', path, attached));
  });
});
