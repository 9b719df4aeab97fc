import { beforeEach, describe, expect, it } from 'vitest';
import { workspaces } from '../../../../src/services/datasets/collections.ts';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { ADA, APP, asUser, DEE, FORBIDDEN, LIN, memberOf, NOT_FOUND, OTTO, outcome, TEAM, TENANT } from '../people.ts';
import { type Ask, good, mistake, person } from '../support.ts';

const PROFILE = { id: '0f9d4c53-5f3f-4fb0-b1ae-31c5a5f4d1aa', displayName: 'Customer 1' };

const probe = new JarProbe();

onAnyStore(
  'users of a workspace',
  (bench) => {
    let ada: Ask;
    let users: string;
    let group: string;

    beforeEach(async () => {
      await bench.jar.reset();
      ada = await person(bench);
      group = (await good(ada('POST', 'groups', { name: 'Sales' }))).id;
      users = `groups/${group}/users`;
    });

    const rights = async (): Promise<Record<string, string>> =>
      Object.fromEntries(
        (await good(ada('GET', users))).value.map((each: Record<string, string>) => [
          each.identifier,
          each.groupUserAccessRight,
        ]),
      );

    it('begin with their creator', async () => {
      expect((await good(ada('GET', users))).value).toEqual([
        {
          groupUserAccessRight: 'Admin',
          identifier: ADA.address,
          emailAddress: ADA.address,
          displayName: 'Ada Admin',
          principalType: 'User',
          graphId: ADA.id,
          userType: 'Member',
        },
      ]);
    });

    it('are people, applications, groups and profiles of applications', async () => {
      await good(ada('POST', users, { emailAddress: LIN.address, groupUserAccessRight: 'viewer' }));
      const app = { identifier: APP.id, principalType: 'App', groupUserAccessRight: 'Contributor' };
      await good(ada('POST', users, app));
      await good(ada('POST', users, { ...app, groupUserAccessRight: 'Member', profile: PROFILE }));
      const team = { identifier: TEAM, principalType: 'Group', groupUserAccessRight: 'Member', displayName: 'Team' };
      await good(ada('POST', users, team));
      const { value } = await good(ada('GET', users));
      expect(value.slice(1)).toEqual([
        {
          groupUserAccessRight: 'Viewer',
          identifier: LIN.address,
          emailAddress: LIN.address,
          displayName: 'Lin Licensed',
          principalType: 'User',
          graphId: LIN.id,
          userType: 'Member',
        },
        {
          groupUserAccessRight: 'Contributor',
          identifier: APP.id,
          displayName: 'Sample application',
          principalType: 'App',
          graphId: APP.id,
        },
        {
          groupUserAccessRight: 'Member',
          identifier: APP.id,
          displayName: 'Sample application',
          principalType: 'App',
          graphId: APP.id,
          profile: PROFILE,
        },
        {
          groupUserAccessRight: 'Member',
          identifier: TEAM,
          displayName: 'Team',
          principalType: 'Group',
          graphId: TEAM,
        },
      ]);
      expect((await good(ada('GET', `${users}?$top=2&$skip=1`))).value).toEqual(value.slice(1, 3));
    });

    it('come, get other rights and go', async () => {
      const lin = await person(bench, LIN.alias);
      expect(outcome(await lin('GET', `groups/${group}`))).toEqual(NOT_FOUND);
      expect(await ada('POST', users, asUser(LIN.address.toUpperCase(), 'Contributor'))).toMatchObject({ text: '' });
      expect(await rights()).toEqual({ [ADA.address]: 'Admin', [LIN.address]: 'Contributor' });
      await good(lin('GET', `groups/${group}`));
      const again = await ada('POST', users, asUser(LIN.id, 'Member'));
      expect(outcome(again)).toEqual({ status: 400, code: 'AddingAlreadyExistsGroupUserNotSupportedError' });
      await good(ada('PUT', users, { emailAddress: LIN.address, groupUserAccessRight: 'Member' }));
      expect(await rights()).toMatchObject({ [LIN.address]: 'Member' });
      expect(outcome(await ada('PUT', users, asUser(DEE.address, 'Member')))).toEqual(NOT_FOUND);
      expect(await ada('DELETE', `${users}/${encodeURIComponent(LIN.address)}`)).toMatchObject({
        status: 200,
        text: '',
      });
      expect(outcome(await lin('GET', `groups/${group}`))).toEqual(NOT_FOUND);
      expect(outcome(await ada('DELETE', `${users}/${LIN.address}`))).toEqual(NOT_FOUND);
      await good(ada('POST', users, asUser(LIN.address, 'Viewer')));
      await good(ada('PUT', users, asUser(LIN.address, 'None')));
      await good(ada('POST', users, asUser(DEE.address, 'Viewer')));
      await good(ada('DELETE', `${users}/${DEE.id.toUpperCase()}`));
      expect(await rights()).toEqual({ [ADA.address]: 'Admin' });
    });

    it('of a profile go by the id of the profile, and open nothing', async () => {
      const app = { identifier: APP.id, principalType: 'App', groupUserAccessRight: 'Admin', profile: PROFILE };
      await good(ada('POST', users, app));
      expect(outcome(await (await person(bench, APP.alias))('GET', `groups/${group}`))).toEqual(NOT_FOUND);
      // A profile does not count as an administrator.
      expect((await ada('DELETE', `${users}/${ADA.address}`)).body.error.code).toBe('CannotRemoveLastAdmin');
      expect(outcome(await ada('DELETE', `${users}/${APP.id}`))).toEqual(NOT_FOUND);
      await good(ada('DELETE', `${users}/${APP.id}?profileId=${PROFILE.id.toUpperCase()}`));
      expect(await rights()).toEqual({ [ADA.address]: 'Admin' });
    });

    it('have an administrator, whatever is asked for', async () => {
      const last = { status: 400, code: 'CannotRemoveLastAdmin' };
      await good(ada('POST', users, asUser(LIN.address, 'Member')));
      expect(outcome(await ada('DELETE', `${users}/${ADA.address}`))).toEqual(last);
      expect(outcome(await ada('PUT', users, asUser(ADA.address, 'None')))).toEqual(last);
      expect(outcome(await ada('PUT', users, asUser(ADA.address, 'Member')))).toEqual(last);
      expect(await rights()).toEqual({ [ADA.address]: 'Admin', [LIN.address]: 'Member' });
    });

    it('may leave, if another administrator stays', async () => {
      await good(ada('POST', users, asUser(LIN.address, 'Admin')));
      await good(ada('DELETE', `${users}/${ADA.address}`));
      expect(outcome(await ada('GET', users))).toEqual(NOT_FOUND);
    });

    it('have the highest right that they or their groups have', async () => {
      const team = { identifier: TEAM, principalType: 'Group', groupUserAccessRight: 'Admin' };
      await good(ada('POST', users, team));
      await good(ada('POST', users, asUser(LIN.address, 'Viewer')));
      const lin = await person(bench, LIN.alias);
      expect(outcome(await lin('PATCH', `groups/${group}`, { name: 'x' }))).toEqual(FORBIDDEN);
      await good((await memberOf(bench, LIN.alias, TEAM))('PATCH', `groups/${group}`, { name: 'x' }));
    });

    it('are a thousand at most', async () => {
      const { store } = probe.jar;
      await store.transact(async (tx) => {
        const { value } = (await tx.get(workspaces, group))!;
        const more = Array.from({ length: 999 }, (_, i) => ({ ...value.users[0]!, principalId: `u${i}` }));
        await tx.put(workspaces, group, { ...value, users: [...value.users, ...more] });
      });
      const refused = await ada('POST', users, asUser(LIN.address, 'Viewer'));
      expect(outcome(refused)).toEqual({ status: 400, code: 'InvalidRequest' });
      await good(ada('PUT', users, asUser(ADA.address, 'Admin')));
    });

    describe('are not changed', () => {
      it.each<[string, object, object]>([
        ['nobody named', { groupUserAccessRight: 'Admin' }, { code: 'InvalidRequest' }],
        ['no type', { identifier: LIN.address, groupUserAccessRight: 'Admin' }, { code: 'InvalidRequest' }],
        ['a user of another tenant', asUser(OTTO.address, 'Viewer'), { code: 'InvalidRequest' }],
        ['an unknown user', asUser('nobody@vendor.example', 'Viewer'), { code: 'InvalidRequest' }],
        [
          'an unknown application',
          { identifier: TEAM, principalType: 'App', groupUserAccessRight: 'Admin' },
          { code: 'InvalidRequest' },
        ],
        [
          'a group that is no id',
          { identifier: 'Team', principalType: 'Group', groupUserAccessRight: 'Admin' },
          { code: 'InvalidRequest' },
        ],
        [
          'the whole organization',
          { identifier: TENANT, principalType: 'None', groupUserAccessRight: 'Viewer' },
          { code: 'InvalidRequest' },
        ],
        ['a profile of a user', { ...asUser(LIN.address, 'Viewer'), profile: PROFILE }, { code: 'InvalidRequest' }],
        ['no right to give', asUser(LIN.address, 'None'), { code: 'UnsupportedAccessRightError' }],
        ['an unknown right', asUser(LIN.address, 'Owner'), { code: 'BadRequest', target: 'groupUserAccessRight' }],
        [
          'an unknown type',
          { ...asUser(LIN.address, 'Viewer'), principalType: 'Robot' },
          { code: 'BadRequest', target: 'principalType' },
        ],
        [
          'no right',
          { identifier: LIN.address, principalType: 'User' },
          { code: 'BadRequest', target: 'groupUserAccessRight' },
        ],
        [
          'another property',
          { ...asUser(LIN.address, 'Viewer'), accessRight: 'x' },
          { code: 'BadRequest', target: 'accessRight' },
        ],
        ['a list', [asUser(LIN.address, 'Viewer')] as never, { code: 'BadRequest' }],
      ])('by a request with %s', async (_, body, expected) => {
        expect(mistake(await ada('POST', users, body))).toMatchObject({ status: 400, ...expected });
        expect(await rights()).toEqual({ [ADA.address]: 'Admin' });
      });

      it.each(['Viewer', 'Contributor', 'Member'])('by a %s, who can see them', async (right) => {
        await good(ada('POST', users, asUser(LIN.address, right)));
        const lin = await person(bench, LIN.alias);
        expect((await good(lin('GET', users))).value).toHaveLength(2);
        expect(outcome(await lin('POST', users, asUser(DEE.address, 'Viewer')))).toEqual(FORBIDDEN);
        expect(outcome(await lin('PUT', users, asUser(LIN.address, 'Admin')))).toEqual(FORBIDDEN);
        expect(outcome(await lin('DELETE', `${users}/${ADA.address}`))).toEqual(FORBIDDEN);
        expect(await rights()).toEqual({ [ADA.address]: 'Admin', [LIN.address]: right });
      });

      it('by a user of another tenant or without a right, who can see nothing', async () => {
        for (const alias of [LIN.alias, OTTO.alias, APP.alias]) {
          const stranger = await person(bench, alias);
          for (const [method, path, body] of [
            ['GET', users],
            ['POST', users, asUser(LIN.address, 'Admin')],
            ['PUT', users, asUser(ADA.address, 'Viewer')],
            ['DELETE', `${users}/${ADA.address}`],
          ] as const)
            expect(outcome(await stranger(method, path, body))).toEqual(NOT_FOUND);
        }
      });
    });
  },
  { services: [...SERVICES, probe.service] },
);
