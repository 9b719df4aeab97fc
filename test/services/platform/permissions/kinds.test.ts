import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { user, withoutRates } from '../scim/support.ts';
import { type Ask, good, person, refusal } from '../support.ts';

onAnyStore('data platform: permissions of jobs, directories and SQL objects', (bench) => {
  let admin: Ask;
  let licensed: Ask;
  let mine: string;
  let theirs: string;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    admin = await person(bench);
    licensed = await person(bench, 'licensed');
    mine = (await good(admin('GET', '/preview/scim/v2/Me'))).userName;
    theirs = (await good(licensed('GET', '/preview/scim/v2/Me'))).userName;
  });

  const entry = (user_name: string, permission_level: string) => ({ user_name, permission_level });
  const acl = (...entries: object[]) => ({ access_control_list: entries });
  const levelsOf = (body: { access_control_list: { user_name?: string; all_permissions: object[] }[] }, name: string) =>
    body.access_control_list.find(({ user_name }) => user_name === name)?.all_permissions;

  it('a job has exactly one owner, whom only the owner or an administrator replaces', async () => {
    const { job_id: id } = await good(licensed('POST', '/api/2.1/jobs/create', { name: 'nightly' }));
    const path = `/permissions/jobs/${id}`;
    const none = 'The job must have exactly one owner.';
    for (const [method, body] of [
      ['PUT', acl()],
      ['PUT', acl(entry(mine, 'CAN_MANAGE'))],
      ['PUT', acl(entry(mine, 'IS_OWNER'), entry(theirs, 'IS_OWNER'))],
      ['PATCH', acl(entry(mine, 'IS_OWNER'))],
    ] as const)
      expect(refusal(await admin(method, path, body))).toEqual({
        status: 400,
        code: 'INVALID_PARAMETER_VALUE',
        message: none,
      });
    expect(refusal(await admin('PUT', path, acl({ group_name: 'users', permission_level: 'IS_OWNER' })))).toMatchObject(
      { status: 400 },
    );
    const third = await user(admin, 'third');
    await good(licensed('PATCH', path, acl(entry(third.userName, 'CAN_VIEW'))));
    await good(licensed('PUT', path, acl(entry(mine, 'IS_OWNER'), entry(theirs, 'CAN_MANAGE'))));
    expect(refusal(await licensed('PUT', path, acl(entry(theirs, 'IS_OWNER'))))).toMatchObject({ status: 403 });
    const back = await good(admin('PUT', path, acl(entry(theirs, 'IS_OWNER'))));
    expect(back).toMatchObject({ object_id: `/jobs/${id}`, object_type: 'job' });
    expect(levelsOf(back, theirs)).toEqual([{ permission_level: 'IS_OWNER', inherited: false }]);
  });

  it('objects in a directory inherit from it', async () => {
    await good(admin('POST', '/workspace/mkdirs', { path: '/Shared-by-test/inner' }));
    await good(
      admin('POST', '/workspace/import', {
        path: '/Shared-by-test/inner/note',
        format: 'SOURCE',
        language: 'PYTHON',
        content: Buffer.from('print(1)').toString('base64'),
      }),
    );
    const idOf = async (path: string) => (await good(admin('GET', `/workspace/get-status?path=${path}`))).object_id;
    const outer = await idOf('/Shared-by-test');
    const note = await idOf('/Shared-by-test/inner/note');
    expect((await licensed('GET', `/permissions/notebooks/${note}`)).status).not.toBe(200);
    await good(admin('PATCH', `/permissions/directories/${outer}`, acl(entry(theirs, 'CAN_READ'))));
    const seen = await good(licensed('GET', `/permissions/notebooks/${note}`));
    expect(seen).toMatchObject({ object_id: `/notebooks/${note}`, object_type: 'notebook' });
    expect(levelsOf(seen, theirs)).toEqual([
      { permission_level: 'CAN_READ', inherited: true, inherited_from_object: [`/directories/${outer}`] },
    ]);
    expect(seen.access_control_list.at(-1)).toEqual({
      group_name: 'admins',
      all_permissions: [{ permission_level: 'CAN_MANAGE', inherited: true, inherited_from_object: ['/directories/'] }],
    });
    expect((await licensed('PATCH', `/permissions/notebooks/${note}`, acl(entry(theirs, 'CAN_MANAGE')))).status).toBe(
      403,
    );
  });

  it('SQL objects have a second path and an older API', async () => {
    const warehouse = await good(admin('POST', '/sql/warehouses', { name: 'w', cluster_size: 'Small' }));
    const shown = await good(admin('GET', `/permissions/sql/warehouses/${warehouse.id}`));
    expect(shown).toMatchObject({ object_id: `/sql/warehouses/${warehouse.id}`, object_type: 'warehouses' });
    expect(await good(admin('GET', `/permissions/warehouses/${warehouse.id}`))).toEqual(shown);
    expect(refusal(await admin('GET', '/permissions/sql/planets/1'))).toMatchObject({ status: 400 });
    const query = await good(admin('POST', '/sql/queries', { query: { display_name: 'q', query_text: 'SELECT 1' } }));
    const path = `/preview/sql/permissions/queries/${query.id}`;
    expect(await good(admin('GET', path))).toEqual({
      object_id: `queries/${query.id}`,
      object_type: 'query',
      access_control_list: [{ user_name: mine, display_name: expect.any(String), permission_level: 'CAN_MANAGE' }],
    });
    expect((await licensed('GET', path)).status).toBe(403);
    await good(admin('POST', path, acl(entry(mine, 'CAN_MANAGE'), entry(theirs, 'CAN_RUN'))));
    expect((await good(licensed('GET', path))).access_control_list).toHaveLength(2);
    expect((await licensed('POST', `${path}/transfer`, { new_owner: theirs })).status).toBe(403);
    expect(refusal(await admin('POST', `${path}/transfer`, { new_owner: 'x@y' }))).toMatchObject({ status: 404 });
    expect(await good(admin('POST', `${path}/transfer`, { new_owner: theirs }))).toEqual({ message: 'Success' });
    await good(licensed('POST', path, acl(entry(theirs, 'CAN_MANAGE'))));
    expect(refusal(await admin('GET', '/preview/sql/permissions/planets/1'))).toMatchObject({ status: 400 });
  });
});
