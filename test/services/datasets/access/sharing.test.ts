import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { DATASET_RIGHT_NAMES, permissionsOf } from '../../../../src/services/datasets/access/permissions.ts';
import { onAnyStore } from '../../../support/jars.ts';
import {
  ADA,
  APP,
  asUser,
  DEE,
  FORBIDDEN,
  LIN,
  memberOf,
  NOT_FOUND,
  OTTO,
  outcome,
  seedFile,
  sharedWith,
  TEAM,
  TENANT,
} from '../people.ts';
import { type Ask, good, mistake, PLAIN, person, somewhat } from '../support.ts';

const GROUP = '6d3f3a6e-0c3b-4a39-8d6a-7f0f6a0a1001';
const DATASET = '6d3f3a6e-0c3b-4a39-8d6a-7f0f6a0a1002';
const WRITTEN = '6d3f3a6e-0c3b-4a39-8d6a-7f0f6a0a1003';

const SEED = {
  workspaces: [
    {
      id: GROUP,
      name: 'Sales',
      users: [asUser(ADA.address, 'Admin')],
      datasets: [
        { id: DATASET, name: 'Orders', tables: [PLAIN] },
        { id: WRITTEN, name: 'Intake', tables: [PLAIN], users: [sharedWith(LIN.address, 'ReadWrite')] },
      ],
    },
  ],
};

onAnyStore(
  'sharing a dataset',
  (bench) => {
    let ada: Ask;
    let lin: Ask;
    const users = `groups/${GROUP}/datasets/${DATASET}/users`;

    beforeEach(async () => {
      await bench.jar.reset();
      ada = await person(bench);
      lin = await person(bench, LIN.alias);
    });

    const rights = async (path = users): Promise<Record<string, string>> =>
      Object.fromEntries(
        (await good(ada('GET', path))).value.map((each: Record<string, string>) => [
          each.identifier,
          each.datasetUserAccessRight,
        ]),
      );
    const role = (right: string) => good(ada('POST', `groups/${GROUP}/users`, asUser(LIN.address, right)));

    it('makes it reachable by its id, and its workspace not', async () => {
      expect(outcome(await lin('GET', `datasets/${DATASET}`))).toEqual(NOT_FOUND);
      expect(await ada('POST', users, sharedWith(LIN.address, 'Read'))).toMatchObject({ status: 200, text: '' });
      expect(await good(lin('GET', `datasets/${DATASET}`))).toMatchObject({ id: DATASET, name: 'Orders' });
      expect((await good(lin('GET', `datasets/${DATASET}/tables`))).value).toMatchObject([{ name: 'Plain' }]);
      expect((await good(lin('GET', 'datasets'))).value).toEqual([]);
      expect((await good(lin('GET', 'groups'))).value).toEqual([]);
      for (const path of [`groups/${GROUP}/datasets`, `groups/${GROUP}/datasets/${DATASET}`, `groups/${GROUP}`])
        expect(outcome(await lin('GET', path))).toEqual(NOT_FOUND);
      const push = await lin('POST', `datasets/${DATASET}/tables/Plain/rows`, { rows: [] });
      expect(outcome(push)).toEqual(FORBIDDEN);
      await good(ada('PUT', users, sharedWith(LIN.address, 'None')));
      expect(outcome(await lin('GET', `datasets/${DATASET}`))).toEqual(NOT_FOUND);
    });

    it('with permission to write lets a user push who is not in the workspace', async () => {
      const rows = `datasets/${WRITTEN}/tables/Plain/rows`;
      await good(lin('POST', rows, { rows: somewhat(2) }));
      const dee = await person(bench, DEE.alias);
      expect(outcome(await dee('POST', rows, { rows: [] }))).toEqual(NOT_FOUND);
      expect(outcome(await lin('POST', `groups/${GROUP}/${rows}`, { rows: [] }))).toEqual(NOT_FOUND);
    });

    it('of "My workspace" opens this dataset and no other', async () => {
      const { id } = await good(ada('POST', 'datasets', { name: 'Mine', tables: [PLAIN] }));
      const { id: secret } = await good(ada('POST', 'datasets', { name: 'Secret', tables: [PLAIN] }));
      await good(ada('POST', `datasets/${id}/users`, sharedWith(LIN.address, 'ReadReshare')));
      expect(await good(lin('GET', `datasets/${id}`))).toMatchObject({ name: 'Mine' });
      expect(outcome(await lin('GET', `datasets/${secret}`))).toEqual(NOT_FOUND);
      const dee = await person(bench, DEE.alias);
      expect(outcome(await dee('GET', `datasets/${id}`))).toEqual(NOT_FOUND);
      await good(lin('POST', `datasets/${id}/users`, sharedWith(DEE.address, 'Read')));
      await good(dee('GET', `datasets/${id}`));
      expect(await rights(`datasets/${id}/users`)).toEqual({
        [ADA.address]: 'ReadWriteReshareExplore',
        [LIN.address]: 'ReadReshare',
        [DEE.address]: 'Read',
      });
    });

    it('with a group or with the whole organization', async () => {
      const dee = await memberOf(bench, DEE.alias, TEAM);
      const group = { identifier: TEAM, principalType: 'Group', datasetUserAccessRight: 'ReadExplore' };
      await good(ada('POST', users, group));
      await good(dee('GET', `datasets/${DATASET}`));
      expect(outcome(await lin('GET', `datasets/${DATASET}`))).toEqual(NOT_FOUND);
      const everybody = { identifier: TENANT, principalType: 'None', datasetUserAccessRight: 'Read' };
      await good(ada('POST', users, everybody));
      await good(lin('GET', `datasets/${DATASET}`));
      const otto = await memberOf(bench, OTTO.alias, TEAM);
      expect(outcome(await otto('GET', `datasets/${DATASET}`))).toEqual(NOT_FOUND);
      expect((await good(ada('GET', users))).value.slice(1)).toEqual([
        {
          datasetUserAccessRight: 'ReadExplore',
          ...{ identifier: TEAM, displayName: TEAM, graphId: TEAM },
          principalType: 'Group',
        },
        {
          datasetUserAccessRight: 'Read',
          identifier: TENANT,
          displayName: 'Whole organization',
          principalType: 'None',
        },
      ]);
    });

    it('a service principal uses the workspace that it is in, and no id alone', async () => {
      const app = await person(bench, APP.alias);
      const member = { identifier: APP.id, principalType: 'App', groupUserAccessRight: 'Contributor' };
      await good(ada('POST', `groups/${GROUP}/users`, member));
      await good(app('GET', `groups/${GROUP}/datasets/${DATASET}`));
      expect(outcome(await app('GET', `datasets/${DATASET}`))).toMatchObject({ status: 403 });
    });

    it('is over when the workspace is deleted', async () => {
      await good(ada('POST', users, sharedWith(LIN.address, 'Read')));
      await good(ada('DELETE', `groups/${GROUP}`));
      expect(outcome(await lin('GET', `datasets/${DATASET}`))).toEqual(NOT_FOUND);
      expect(outcome(await lin('GET', `datasets/${WRITTEN}`))).toEqual(NOT_FOUND);
    });

    describe('POST', () => {
      it('adds to existing permissions, and removes none', async () => {
        await good(ada('POST', users, sharedWith(LIN.address, 'ReadReshare')));
        await good(ada('POST', users, sharedWith(LIN.address, 'Read')));
        expect(await rights()).toMatchObject({ [LIN.address]: 'ReadReshare' });
        await good(ada('POST', users, sharedWith(LIN.address, 'readexplore')));
        expect(await rights()).toMatchObject({ [LIN.address]: 'ReadReshareExplore' });
      });

      it('keeps permission to write that the seed gave', async () => {
        const written = `groups/${GROUP}/datasets/${WRITTEN}/users`;
        await good(ada('POST', written, sharedWith(LIN.address, 'ReadExplore')));
        expect(await rights(written)).toMatchObject({ [LIN.address]: 'ReadWriteExplore' });
      });

      it('grants at most the permissions of the caller', async () => {
        await good(ada('POST', users, sharedWith(LIN.address, 'ReadReshare')));
        const refused = await lin('POST', `datasets/${DATASET}/users`, sharedWith(DEE.address, 'ReadExplore'));
        expect(outcome(refused)).toEqual(FORBIDDEN);
        expect(refused.headers.get('x-powerbi-error-details')).toContain('Explore');
        await good(lin('POST', `datasets/${DATASET}/users`, sharedWith(DEE.address, 'ReadReshare')));
        expect(await rights()).toMatchObject({ [DEE.address]: 'ReadReshare' });
      });

      it.each<[string, object, object]>([
        ['write', sharedWith(LIN.address, 'ReadWrite'), { code: 'UnsupportedAccessRightError' }],
        [
          'write and all else',
          sharedWith(LIN.address, 'ReadWriteReshareExplore'),
          { code: 'UnsupportedAccessRightError' },
        ],
        ['None', sharedWith(LIN.address, 'None'), { code: 'UnsupportedAccessRightError' }],
        [
          'an unknown right',
          sharedWith(LIN.address, 'Explore'),
          { code: 'BadRequest', target: 'datasetUserAccessRight' },
        ],
        [
          'a right to an application',
          { ...sharedWith(APP.id, 'Read'), principalType: 'App' },
          { code: 'InvalidRequest' },
        ],
        ['a right to another tenant', sharedWith(OTTO.address, 'Read'), { code: 'InvalidRequest' }],
        ['a right to nobody', sharedWith('nobody@vendor.example', 'Read'), { code: 'InvalidRequest' }],
        [
          'a right to another organization',
          { ...sharedWith('20000000-0000-4000-8000-000000000001', 'Read'), principalType: 'None' },
          { code: 'InvalidRequest' },
        ],
        ['another property', { ...sharedWith(LIN.address, 'Read'), right: 1 }, { code: 'BadRequest', target: 'right' }],
      ])('does not give %s', async (_, body, expected) => {
        expect(mistake(await ada('POST', users, body))).toMatchObject({ status: 400, ...expected });
        expect(await rights()).toEqual({ [ADA.address]: 'ReadWriteReshareExplore' });
      });
    });

    describe('PUT', () => {
      it('replaces existing permissions', async () => {
        await good(ada('POST', users, sharedWith(LIN.address, 'ReadReshareExplore')));
        await good(ada('PUT', users, sharedWith(LIN.address, 'Read')));
        expect(await rights()).toMatchObject({ [LIN.address]: 'Read' });
        await good(ada('PUT', users, sharedWith(LIN.address, 'None')));
        expect(Object.keys(await rights())).toEqual([ADA.address]);
        expect(outcome(await ada('PUT', users, sharedWith(LIN.address, 'Read')))).toEqual(NOT_FOUND);
      });

      it('neither gives nor removes permission to write', async () => {
        await good(ada('POST', users, sharedWith(LIN.address, 'Read')));
        const refused = { status: 400, code: 'UnsupportedAccessRightError' };
        expect(outcome(await ada('PUT', users, sharedWith(LIN.address, 'ReadWrite')))).toEqual(refused);
        const written = `groups/${GROUP}/datasets/${WRITTEN}/users`;
        for (const right of ['Read', 'ReadReshareExplore', 'None'])
          expect(outcome(await ada('PUT', written, sharedWith(LIN.address, right)))).toEqual(refused);
        await good(ada('PUT', written, sharedWith(LIN.address, 'ReadWriteExplore')));
        expect(await rights(written)).toMatchObject({ [LIN.address]: 'ReadWriteExplore' });
      });

      it('does not remove what the workspace gives, and adds to it only as long as it lasts', async () => {
        await role('Contributor');
        const inherited = { status: 400, code: 'InheritedPermissions' };
        for (const right of ['None', 'Read', 'ReadWrite', 'ReadReshareExplore'])
          expect(outcome(await ada('PUT', users, sharedWith(LIN.address, right)))).toEqual(inherited);
        expect(await rights()).toMatchObject({ [LIN.address]: 'ReadWriteExplore' });
        await good(ada('PUT', users, sharedWith(LIN.address, 'ReadWriteReshareExplore')));
        expect(await rights()).toMatchObject({ [LIN.address]: 'ReadWriteReshareExplore' });
        await good(ada('DELETE', `groups/${GROUP}/users/${LIN.address}`));
        expect(await rights()).toMatchObject({ [LIN.address]: 'ReadReshareExplore' });
        expect(outcome(await lin('DELETE', `datasets/${DATASET}`))).toEqual(FORBIDDEN);
      });

      it('is for users who may write, and for the owner', async () => {
        await good(ada('POST', users, sharedWith(LIN.address, 'ReadReshare')));
        const body = sharedWith(LIN.address, 'Read');
        expect(outcome(await lin('PUT', `datasets/${DATASET}/users`, body))).toEqual(FORBIDDEN);
        await role('Contributor');
        const { id } = await good(lin('POST', `groups/${GROUP}/datasets`, { name: 'Own', tables: [PLAIN] }));
        const own = `groups/${GROUP}/datasets/${id}/users`;
        await good(lin('POST', own, sharedWith(DEE.address, 'ReadExplore')));
        await good(lin('PUT', own, sharedWith(DEE.address, 'Read')));
        await good(ada('PUT', `groups/${GROUP}/users`, asUser(LIN.address, 'Viewer')));
        expect(outcome(await lin('PUT', own, sharedWith(DEE.address, 'None')))).toEqual(FORBIDDEN);
      });
    });

    it('in whatever order never gives permission to write, nor more than a giver had', async () => {
      const people = { ada: ADA, lin: LIN, dee: DEE };
      const asks: Readonly<Record<string, Ask>> = { ada, lin, dee: await person(bench, DEE.alias) };
      const name = fc.constantFrom('ada', 'lin', 'dee');
      const grant = fc.record({
        giver: name,
        method: fc.constantFrom('POST', 'PUT'),
        to: fc.constantFrom('lin', 'dee'),
        right: fc.constantFrom(...DATASET_RIGHT_NAMES),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(grant, { minLength: 1, maxLength: 8 }), async (grants) => {
          const { id } = await good(ada('POST', 'datasets', { name: 'p', tables: [PLAIN] }));
          const path = `datasets/${id}/users`;
          for (const { giver, method, to, right } of grants) {
            const before = await rights(path);
            const body = sharedWith(people[to as keyof typeof people].address, right);
            const { status } = await asks[giver]!(method, path, body);
            const after = await rights(path);
            const held = (all: Record<string, string>, who: string) =>
              permissionsOf((all[people[who as keyof typeof people].address] ?? 'None') as 'None');
            if (status !== 200) expect(after).toEqual(before);
            const gained = held(after, to).filter((each) => !held(before, to).includes(each));
            expect(gained.filter((each) => each === 'Write' || !held(before, giver).includes(each))).toEqual([]);
          }
          await good(ada('DELETE', `datasets/${id}`));
        }),
        { numRuns: 15 },
      );
    });
  },
  { seed: seedFile(SEED) },
);
