import { WorkspaceClient } from '@databricks/sdk-experimental';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { GROUPS, group, patch, user, withoutRates } from '../scim/support.ts';
import { type Ask, good, person, refusal } from '../support.ts';

const POOL = { instance_pool_name: 'pool', node_type_id: 'Standard_DS3_v2' };
const TOKENS = '/permissions/authorization/tokens';

onBothStores('data platform: permissions', (bench) => {
  let admin: Ask;
  let licensed: Ask;
  let name: string;
  let path: string;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    admin = await person(bench);
    licensed = await person(bench, 'licensed');
    name = (await good(licensed('GET', '/preview/scim/v2/Me'))).userName;
    const { instance_pool_id: id } = await good(admin('POST', '/instance-pools/create', POOL));
    path = `/permissions/instance-pools/${id}`;
  });

  const entry = (permission_level: string, who: object = { user_name: name }) => ({ ...who, permission_level });
  const acl = (...entries: object[]) => ({ access_control_list: entries });

  it('the published client reads, replaces and describes the permissions of an object', async () => {
    const token = await bench.jar.token({ user: 'admin', ttl: '3650d' });
    const client = new WorkspaceClient({ host: bench.jar.url, token });
    const asked = { request_object_type: 'instance-pools', request_object_id: path.split('/').at(-1) as string };
    const before = await client.permissions.get(asked);
    expect(before).toMatchObject({
      object_id: path.replace('/permissions', ''),
      object_type: 'instance-pool',
      access_control_list: [
        { user_name: expect.any(String), all_permissions: [{ permission_level: 'CAN_MANAGE', inherited: false }] },
        {
          group_name: 'admins',
          all_permissions: [
            { permission_level: 'CAN_MANAGE', inherited: true, inherited_from_object: ['/instance-pools/'] },
          ],
        },
      ],
    });
    const levels = await client.permissions.getPermissionLevels(asked);
    expect(levels.permission_levels?.map((each) => each.permission_level)).toEqual(['CAN_ATTACH_TO', 'CAN_MANAGE']);
    await client.permissions.set({
      ...asked,
      access_control_list: [{ user_name: name, permission_level: 'CAN_ATTACH_TO' }],
    });
    const after = await client.permissions.get(asked);
    expect(after.access_control_list).toMatchObject([
      { user_name: name, all_permissions: [{ permission_level: 'CAN_ATTACH_TO', inherited: false }] },
      { group_name: 'admins' },
    ]);
    await client.permissions.set({ ...asked, access_control_list: [] });
    expect((await client.permissions.get(asked)).access_control_list).toHaveLength(1);
  });

  it('direct and group permissions determine what a user sees and changes', async () => {
    expect(refusal(await licensed('GET', path))).toMatchObject({ status: 403, code: 'PERMISSION_DENIED' });
    await good(admin('PATCH', path, acl(entry('CAN_ATTACH_TO'))));
    await good(licensed('GET', path));
    expect((await licensed('PATCH', path, acl(entry('CAN_MANAGE')))).status).toBe(403);
    const { id } = await good(licensed('GET', '/preview/scim/v2/Me'));
    const inner = await group(admin, 'inner', id);
    await group(admin, 'outer', inner.id);
    await good(admin('PATCH', path, acl(entry('CAN_MANAGE', { group_name: 'outer' }))));
    const other = await user(admin, 'other');
    const shared = await good(licensed('PATCH', path, acl(entry('CAN_ATTACH_TO', { user_name: other.userName }))));
    expect(shared.access_control_list.map((each: Record<string, string>) => each.user_name ?? each.group_name)).toEqual(
      [expect.any(String), name, 'outer', other.userName, 'admins'],
    );
    await good(patch(admin, `${GROUPS}/${inner.id}`, { op: 'remove', path: 'members' }), 204);
    expect((await licensed('PATCH', path, acl())).status).toBe(403);
    await good(admin('PATCH', path, acl(entry('CAN_MANAGE'))));
    const kept = await good(admin('PATCH', path, acl(entry('CAN_ATTACH_TO'))));
    const own = kept.access_control_list.find((each: Record<string, string>) => each.user_name === name);
    expect(own.all_permissions).toEqual([{ permission_level: 'CAN_MANAGE', inherited: false }]);
  });

  it('an invalid request is refused with a reason and changes nothing', async () => {
    const before = await good(admin('GET', path));
    const cases: [string, string, unknown, object][] = [
      [
        'GET',
        '/permissions/planets/1',
        undefined,
        { status: 400, message: 'request_object_type is not recognized: planets' },
      ],
      ['GET', '/permissions/instance-pools/404', undefined, { status: 404, code: 'RESOURCE_DOES_NOT_EXIST' }],
      ['GET', '/permissions/authorization/cookies', undefined, { status: 404 }],
      ['PUT', path, acl(entry('CAN_FLY')), { status: 400, code: 'INVALID_PARAMETER_VALUE' }],
      ['PUT', path, acl({ user_name: name }), { status: 400, message: expect.stringContaining('permission_level') }],
      [
        'PUT',
        path,
        acl({ permission_level: 'CAN_MANAGE' }),
        { status: 400, message: expect.stringContaining('exactly one') },
      ],
      ['PUT', path, acl(entry('CAN_MANAGE', { user_name: name, group_name: 'users' })), { status: 400 }],
      [
        'PUT',
        path,
        acl(entry('CAN_MANAGE', { user_name: 'nobody@contoso.example' })),
        { status: 404, code: 'PRINCIPAL_DOES_NOT_EXIST' },
      ],
      [
        'PATCH',
        path,
        acl(entry('CAN_MANAGE', { group_name: 'nobody' })),
        { status: 404, code: 'PRINCIPAL_DOES_NOT_EXIST' },
      ],
      ['PUT', path, { access_control_list: 'all' }, { status: 400, code: 'MALFORMED_REQUEST' }],
      ['PUT', path, acl(entry('CAN_MANAGE', { user_name: 7 })), { status: 400, code: 'MALFORMED_REQUEST' }],
      ['PUT', path, acl(...Array.from({ length: 1001 }, () => entry('CAN_MANAGE'))), { status: 400 }],
    ];
    for (const [method, at, body, expected] of cases)
      expect(refusal(await admin(method, at, body)), JSON.stringify([at, body]).slice(0, 120)).toMatchObject(expected);
    expect(await good(admin('GET', path))).toEqual(before);
    const stranger = await person(bench, 'other');
    expect(refusal(await stranger('GET', path))).toMatchObject({ status: 404 });
  });

  it('all users may have tokens until that is restricted, and administrators always', async () => {
    const own = async () => (await licensed('POST', '/token/create', { comment: 'x' })).status;
    expect(await good(licensed('GET', TOKENS))).toMatchObject({
      object_id: '/authorization/tokens',
      object_type: 'tokens',
      access_control_list: [{ group_name: 'users' }, { group_name: 'admins' }],
    });
    expect(await own()).toBe(200);
    expect((await licensed('PUT', TOKENS, acl(entry('CAN_USE')))).status).toBe(403);
    await good(admin('PUT', TOKENS, acl()));
    expect(await own()).toBe(403);
    expect((await admin('POST', '/token/create', {})).status).toBe(200);
    await good(admin('PATCH', TOKENS, acl(entry('CAN_USE'))));
    expect(await own()).toBe(200);
    expect(await good(admin('GET', '/permissions/authorization/passwords'))).toMatchObject({
      object_type: 'passwords',
    });
    expect(await good(admin('GET', `//permissions/authorization/tokens/permissionLevels`))).toEqual({
      permission_levels: [{ permission_level: 'CAN_USE', description: 'Can use the tokens' }],
    });
  });
});
