import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { GROUPS, list, patch, SERVICE_PRINCIPALS } from '../scim/support.ts';
import { ACCOUNT, accountClient, workspaceClient } from '../sdk.ts';
import { type Ask, good, person, refusal, withoutRates } from '../support.ts';
import { inWorkspace } from './support.ts';

const RULES = `/preview/accounts/${ACCOUNT}/access-control`;
const PROXY = '/preview/accounts/access-control';

onAnyStore('data platform: rule sets of an account', (bench) => {
  let admin: Ask;
  let licensed: Ask;
  let robot: { id: string; applicationId: string };

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    admin = await person(bench);
    licensed = await person(bench, 'licensed');
    robot = await good(admin('POST', SERVICE_PRINCIPALS, { displayName: 'robot' }), 201);
  });

  const nameOf = (resource: string) => `accounts/${ACCOUNT}/${resource}ruleSets/default`;
  const read = (ask: Ask, name: string, at = RULES) => ask('GET', `${at}/rule-sets?name=${name}&etag=`);
  const give = async (ask: Ask, name: string, role: string, ...principals: string[]) => {
    const { etag } = await good(read(admin, name));
    return ask('PUT', `${RULES}/rule-sets`, { name, rule_set: { name, etag, grant_rules: [{ role, principals }] } });
  };

  it('the published client reads, changes and lists roles', async () => {
    const token = await bench.jar.token({ user: 'admin', ttl: '3650d' });
    const { accountAccessControl: accessControl } = accountClient(bench, { token });
    const name = nameOf(`servicePrincipals/${robot.applicationId}/`);
    const { etag, grant_rules } = await accessControl.getRuleSet({ name, etag: '' });
    expect(grant_rules).toEqual([]);
    const rule = {
      role: 'roles/servicePrincipal.user',
      principals: ['users/licensed@vendor.example', 'groups/account users'],
    };
    const rule_set = { name, etag, grant_rules: [rule] };
    const updated = await accessControl.updateRuleSet({ name, rule_set });
    expect(updated).toMatchObject({ name, grant_rules: [rule] });
    await expect(accessControl.updateRuleSet({ name, rule_set })).rejects.toMatchObject({ errorCode: 'ABORTED' });
    const { roles } = await accessControl.getAssignableRolesForResource({
      resource: `accounts/${ACCOUNT}/servicePrincipals/${robot.id}`,
    });
    expect(roles?.map((each) => each.name)).toEqual(['roles/servicePrincipal.manager', 'roles/servicePrincipal.user']);
    const proxy = workspaceClient(bench, { token }).accountAccessControlProxy;
    expect(await proxy.getRuleSet({ name, etag: '' })).toEqual(updated);
  });

  it('a user of a service principal lets jobs run as it, and its manager makes secrets for it', async () => {
    const name = nameOf(`servicePrincipals/${robot.applicationId}/`);
    const job = {
      name: 'j',
      tasks: [{ task_key: 'a', spark_jar_task: { main_class_name: 'A' } }],
      run_as: { service_principal_name: robot.applicationId },
    };
    const secrets = `/accounts/${ACCOUNT}/servicePrincipals/${robot.id}/credentials/secrets`;
    const proxied = `/accounts/servicePrincipals/${robot.id}/credentials/secrets`;
    expect((await licensed('POST', '/api/2.2/jobs/create', job)).status).toBe(403);
    await good(give(admin, name, 'roles/servicePrincipal.user', 'users/licensed@vendor.example'));
    await good(licensed('POST', '/api/2.2/jobs/create', job));
    for (const path of [secrets, proxied]) expect((await licensed('POST', path, {})).status).toBe(403);
    expect((await read(licensed, name)).status).toBe(403);
    const team = await good(admin('POST', `/accounts/${ACCOUNT}/scim/v2/Groups`, { displayName: 'team' }), 201);
    await good(give(admin, name, 'roles/servicePrincipal.manager', 'groups/team'));
    expect((await licensed('POST', secrets, {})).status).toBe(403);
    const { id } = await good(licensed('GET', '/preview/scim/v2/Me'));
    const members = [{ value: id }];
    await good(
      patch(admin, `/accounts/${ACCOUNT}/scim/v2/Groups/${team.id}`, { op: 'add', path: 'members', value: members }),
      204,
    );
    for (const path of [secrets, proxied]) await good(licensed('POST', path, {}));
    expect((await good(licensed('GET', secrets))).secrets).toHaveLength(2);
    await good(read(licensed, name, PROXY));
    await good(admin('DELETE', `/accounts/${ACCOUNT}/scim/v2/ServicePrincipals/${robot.id}`), 204);
    expect((await read(admin, name)).status).toBe(404);
  });

  it('a manager of a group changes its members and gives no role', async () => {
    const path = `/accounts/${ACCOUNT}/scim/v2/Groups`;
    const team = await good(admin('POST', path, { displayName: 'team' }), 201);
    const other = await good(admin('POST', path, { displayName: 'other' }), 201);
    await good(give(admin, nameOf(`groups/${team.id}/`), 'roles/group.manager', 'users/licensed@vendor.example'));
    const { id } = await good(licensed('GET', '/preview/scim/v2/Me'));
    const joins = { op: 'add', path: 'members', value: [{ value: id }] };
    await good(patch(licensed, `${path}/${team.id}`, joins), 204);
    expect((await good(licensed('GET', `${path}/${team.id}`))).members).toHaveLength(1);
    for (const refused of [
      await patch(licensed, `${path}/${team.id}`, { op: 'add', path: 'roles', value: [{ value: 'account_admin' }] }),
      await licensed('PUT', `${path}/${team.id}`, { displayName: 'team', roles: [{ value: 'account_admin' }] }),
      await patch(licensed, `${path}/${other.id}`, joins),
      await licensed('GET', `${path}/${other.id}`),
      await licensed('GET', path),
      await licensed('POST', path, { displayName: 'mine' }),
    ])
      expect(refused.status, refused.text).toBe(403);
    await good(licensed('DELETE', `${path}/${team.id}`), 204);
  });

  it('an invalid rule set is refused with a reason and changes nothing', async () => {
    const name = nameOf('');
    const { etag } = await good(read(admin, name));
    const put = (rule_set: object) => admin('PUT', `${RULES}/rule-sets`, { name, rule_set });
    const cases: [Promise<Awaited<ReturnType<Ask>>>, object][] = [
      [read(admin, 'nonsense'), { status: 400, code: 'INVALID_PARAMETER_VALUE' }],
      [read(admin, 'accounts/x/ruleSets/default'), { status: 404, code: 'RESOURCE_DOES_NOT_EXIST' }],
      [read(admin, nameOf('groups/1/')), { status: 404 }],
      [read(admin, nameOf('servicePrincipals/1/')), { status: 404 }],
      [admin('GET', `${RULES}/rule-sets`), { status: 400, message: 'Missing required field: name' }],
      [put({ name }), { status: 400, message: 'Missing required field: rule_set.etag' }],
      [put({ name, etag: 'old' }), { status: 409, code: 'ABORTED' }],
      [
        put({ name, etag, grant_rules: [{}] }),
        { status: 400, message: 'Missing required field: rule_set.grant_rules[0].role' },
      ],
      [put({ name, etag, grant_rules: [{ role: 'roles/king' }] }), { status: 400 }],
      [put({ name, etag, grant_rules: [{ role: 'roles/marketplace.admin', principals: ['me'] }] }), { status: 400 }],
      [
        put({ name, etag, grant_rules: [{ role: 'roles/marketplace.admin', principals: ['users/no'] }] }),
        { status: 400 },
      ],
      [licensed('GET', `${RULES}/rule-sets?name=${name}`), { status: 403 }],
      [read(await person(bench, 'other'), name), { status: 403 }],
    ];
    for (const [reply, expected] of cases) expect(refusal(await reply)).toMatchObject(expected);
    expect(await good(read(admin, name))).toMatchObject({ etag, grant_rules: [] });
  });

  it('of two changes of the same version, one succeeds', async () => {
    const name = nameOf('');
    const { etag } = await good(read(admin, name));
    const replies = await Promise.all(
      Array.from({ length: 8 }, () =>
        admin('PUT', `${RULES}/rule-sets`, { name, rule_set: { name, etag, grant_rules: [] } }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
  });

  it('the group account users has all users and service principals automatically', async () => {
    const path = `/accounts/${ACCOUNT}/scim/v2`;
    const found = await list(admin, `${path}/Groups`, { filter: 'displayName eq "account users"' });
    const [group] = found.Resources;
    const users =
      (await list(admin, `${path}/Users`)).totalResults + (await list(admin, `${path}/ServicePrincipals`)).totalResults;
    expect(group.members).toHaveLength(users);
    const { id } = await good(admin('POST', `${path}/Users`, { userName: 'new@contoso.example' }), 201);
    const read = async () => (await good(admin('GET', `${path}/Groups/${group.id}`))).members;
    expect(await read()).toHaveLength(users + 1);
    for (const refused of [
      await patch(admin, `${path}/Groups/${group.id}`, { op: 'remove', path: 'members' }),
      await patch(admin, `${path}/Groups/${group.id}`, { op: 'replace', path: 'displayName', value: 'x' }),
      await patch(admin, `${path}/Groups/${group.id}`, {
        op: 'add',
        path: 'roles',
        value: [{ value: 'account_admin' }],
      }),
    ])
      expect(refused.status, refused.text).toBe(400);
    expect((await admin('DELETE', `${path}/Groups/${group.id}`)).status).toBe(403);
    expect((await admin('POST', `${path}/Groups`, { displayName: 'Account Users' })).status).toBe(409);
    await good(admin('DELETE', `${path}/Users/${id}`), 204);
    expect(await read()).toHaveLength(users);
    expect((await list(admin, GROUPS, { filter: 'displayName eq "account users"' })).totalResults).toBe(0);
    const made = await good(admin('POST', `/accounts/${ACCOUNT}/workspaces`, { workspace_name: 'open' }));
    const there = inWorkspace(licensed, made.workspace_id);
    expect((await there('GET', '/preview/scim/v2/Me')).status).toBe(403);
    const assignment = `/accounts/${ACCOUNT}/workspaces/${made.workspace_id}/permissionassignments/principals/${group.id}`;
    await good(admin('PUT', assignment, { permissions: ['USER'] }));
    await good(there('GET', '/preview/scim/v2/Me'));
  });
});
