import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { ACCOUNT } from '../sdk.ts';
import { type Ask, control, good, person, refusal } from '../support.ts';
import {
  accountOf,
  GROUPS,
  group,
  list,
  patch,
  SERVICE_PRINCIPALS,
  scimRefusal,
  USERS,
  user,
  withoutRates,
} from './support.ts';

onBothStores('data platform: groups and limits of identities', (bench) => {
  let admin: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    admin = await person(bench);
  });

  const limit = (name: string, value: number) =>
    control(bench, 'PATCH', 'limits', { name: `platform.${name}`, limit: value });
  const add = (id: string, ...members: string[]) =>
    patch(admin, `${GROUPS}/${id}`, { op: 'add', path: 'members', value: members.map((value) => ({ value })) });

  it('groups nest in ten layers and never in a circle', async () => {
    let inner = (await group(admin, 'layer 1')).id;
    const first = inner;
    for (let layer = 2; layer <= 10; layer += 1) inner = (await group(admin, `layer ${layer}`, inner)).id;
    const refused = await admin('POST', GROUPS, { displayName: 'layer 11', members: [{ value: inner }] });
    expect(refusal(refused)).toMatchObject({ status: 400, code: 'RESOURCE_LIMIT_EXCEEDED' });
    expect(refused.body.detail).toContain('Layers of nested groups');
    const below = await group(admin, 'layer 0');
    expect((await add(first, below.id)).status).toBe(400);
    const beside = await group(admin, 'beside');
    await good(add(inner, beside.id), 204);
    for (const [outer, member] of [
      [first, inner],
      [first, first],
    ] as const)
      expect(scimRefusal(await add(outer, member))).toMatchObject({ status: 400, scimType: 'invalidValue' });
    const someone = await user(admin, 'deep');
    await good(add(first, someone.id), 204);
    const { groups } = await good(admin('GET', `${USERS}/${someone.id}`));
    expect(groups.filter(({ type }: { type: string }) => type === 'indirect')).toHaveLength(9);
    await good(admin('DELETE', `${GROUPS}/${beside.id}`), 204);
    await good(patch(admin, `${GROUPS}/${inner}`, { op: 'remove', path: 'members' }), 204);
    await good(add(first, below.id), 204);
  });

  it('a user is directly in as many groups as the limit allows', async () => {
    await limit('group-parents', 2);
    const { id } = await user(admin, 'popular');
    await group(admin, 'one', id);
    const two = await group(admin, 'two', id);
    expect(refusal(await admin('POST', GROUPS, { displayName: 'three', members: [{ value: id }] }))).toMatchObject({
      status: 400,
      code: 'RESOURCE_LIMIT_EXCEEDED',
    });
    expect((await list(admin, GROUPS, { filter: 'displayName eq "three"' })).totalResults).toBe(0);
    await good(admin('DELETE', `${GROUPS}/${two.id}`), 204);
    await group(admin, 'three', id);
  });

  it('users and service principals of an account are counted together, and groups apart', async () => {
    const scim = `/accounts/${await accountOf(bench)}/scim/v2`;
    const users = (await list(admin, `${scim}/Users`)).totalResults;
    const programs = (await list(admin, `${scim}/ServicePrincipals`)).totalResults;
    await limit('principals', users + programs + 2);
    const ada = await user(admin, 'ada');
    await good(admin('POST', SERVICE_PRINCIPALS, { displayName: 'robot' }), 201);
    const refused = await admin('POST', USERS, { userName: 'one-more@contoso.example' });
    expect(refusal(refused)).toMatchObject({ status: 400, code: 'QUOTA_EXCEEDED' });
    expect(refused.body.detail).toContain(`Cannot have more than ${users + programs + 2} users and service principals`);
    await good(admin('DELETE', `${USERS}/${ada.id}`), 204);
    expect((await admin('POST', SERVICE_PRINCIPALS, { displayName: 'second' })).status).toBe(400);
    await good(admin('DELETE', `${scim}/Users/${ada.id}`), 204);
    await good(admin('POST', SERVICE_PRINCIPALS, { displayName: 'second' }), 201);
    await limit('groups', 1);
    const one = await group(admin, 'one');
    expect((await admin('POST', `${scim}/Groups`, { displayName: 'two' })).status).toBe(400);
    await good(admin('DELETE', `${GROUPS}/${one.id}`), 204);
    await good(admin('POST', `${scim}/Groups`, { displayName: 'two' }), 201);
  });

  it('an account of a directory that is larger than the limit has its administrators', async () => {
    await limit('principals', 2);
    const scim = `/accounts/${ACCOUNT}/scim/v2`;
    const { Resources } = await list(admin, `${scim}/Users`);
    expect(Resources).toHaveLength(2);
    expect(Resources.map(({ userName }: { userName: string }) => userName)).toContain('admin@vendor.example');
    const licensed = await person(bench, 'no-job-queue');
    expect(refusal(await licensed('GET', '/preview/scim/v2/Me'))).toMatchObject({
      status: 400,
      code: 'QUOTA_EXCEEDED',
    });
  });

  it('of 64 clients at once exactly as many succeed as are left', async () => {
    const scim = `/accounts/${await accountOf(bench)}/scim/v2`;
    const before =
      (await list(admin, `${scim}/Users`)).totalResults + (await list(admin, `${scim}/ServicePrincipals`)).totalResults;
    await limit('principals', before + 10);
    const replies = await Promise.all(
      Array.from({ length: 64 }, (_, n) => admin('POST', `${scim}/Users`, { userName: `n${n}@contoso.example` })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(10);
    const same = await Promise.all(
      Array.from({ length: 8 }, () => admin('POST', `${scim}/Groups`, { displayName: 'same' })),
    );
    expect(same.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
  });

  it('groups that are put into each other at once never end in a circle', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) ids.push((await group(admin, `ring ${n}`)).id);
    const replies = await Promise.all(
      ids.flatMap((id, n) => [
        add(id, ids[(n + 1) % ids.length] as string),
        add(ids[(n + 1) % ids.length] as string, id),
      ]),
    );
    // At most one of each pair succeeds, and never the whole ring in one direction.
    for (let n = 0; n < ids.length; n += 1)
      expect(
        [replies[2 * n]?.status, replies[2 * n + 1]?.status].filter((status) => status === 204).length,
      ).toBeLessThan(2);
    const { Resources } = await list(admin, GROUPS, { filter: 'displayName sw "ring"' });
    const inside = new Map<string, string[]>(
      Resources.map(({ id, members = [] }: { id: string; members?: { value: string }[] }) => [
        id,
        members.map(({ value }) => value),
      ]),
    );
    const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
      (inside.get(from) ?? []).some((next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))));
    for (const id of ids) expect(reaches(id, id)).toBe(false);
  });

  it('the groups admins and users cannot be removed, and an administrator always remains', async () => {
    const found = (await list(admin, GROUPS)).Resources as {
      id: string;
      displayName: string;
      members: { value: string }[];
    }[];
    const byName = new Map(found.map((each) => [each.displayName, each]));
    const admins = byName.get('admins')?.id as string;
    const users = byName.get('users')?.id as string;
    const me = await good(admin('GET', '/preview/scim/v2/Me'));
    const someone = await user(admin, 'someone');
    for (const id of [admins, users]) {
      expect((await admin('DELETE', `${GROUPS}/${id}`)).status).toBe(403);
      expect(
        scimRefusal(await patch(admin, `${GROUPS}/${id}`, { op: 'replace', path: 'displayName', value: 'x' })),
      ).toMatchObject({
        status: 400,
        scimType: 'mutability',
      });
    }
    expect(scimRefusal(await add(users, admins))).toMatchObject({ status: 400 });
    expect((await patch(admin, `${GROUPS}/${users}`, { op: 'remove', path: 'members' })).status).toBe(400);
    const team = await group(admin, 'team');
    expect((await add(team.id, admins)).status).toBe(400);
    for (const refused of [
      await patch(admin, `${GROUPS}/${admins}`, { op: 'remove', path: `members[value eq "${me.id}"]` }),
      await admin('PUT', `${GROUPS}/${admins}`, { displayName: 'admins' }),
      await admin('DELETE', `${USERS}/${me.id}`),
      await patch(admin, `${USERS}/${me.id}`, { op: 'replace', path: 'active', value: false }),
      await admin('DELETE', `/accounts/${await accountOf(bench)}/scim/v2/Users/${me.id}`),
    ])
      expect(refused.body?.detail, refused.text).toMatch(/^The last active administrator of the (workspace|account)/);
    await good(add(admins, someone.id), 204);
    await good(patch(admin, `${GROUPS}/${admins}`, { op: 'remove', path: `members[value eq "${me.id}"]` }), 204);
    expect((await admin('POST', GROUPS, { displayName: 'late' })).status).toBe(403);
    const reading = await admin('GET', `${USERS}?filter=userName%20eq%20%22someone@contoso.example%22`);
    expect(reading.body.totalResults).toBe(1);
  });
});
