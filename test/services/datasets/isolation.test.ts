import { beforeEach, describe, expect, it } from 'vitest';
import { type WorkspaceRight, workspaces } from '../../../src/services/datasets/collections.ts';
import { SERVICES } from '../../../src/services.ts';
import { JarProbe } from '../../support/jar-probe.ts';
import { onBothStores } from '../../support/jars.ts';
import { type Ask, good, PLAIN, person } from './support.ts';

const probe = new JarProbe();
const LICENSED = '10000000-0000-4000-8000-000000000012';

/** Every operation on a dataset, with its body. */
const READS = (at: string): readonly (readonly [string, string, unknown?])[] => [
  ['GET', at],
  ['GET', `${at}/tables`],
  ['GET', `${at}/tables/Plain/sequenceNumbers`],
];
const WRITES = (at: string): readonly (readonly [string, string, unknown?])[] => [
  ['POST', `${at}/tables/Plain/rows`, { rows: [{ id: 1 }] }],
  ['PUT', `${at}/tables/Plain`, PLAIN],
  ['DELETE', `${at}/tables/Plain/rows`],
  ['DELETE', at],
];

onBothStores(
  'a dataset',
  (bench) => {
    let ask: Ask;
    let group: string;
    let id: string;
    let own: string;

    beforeEach(async () => {
      await bench.jar.reset();
      ask = await person(bench);
      const body = { name: 'D', tables: [PLAIN] };
      group = (await good(ask('POST', 'groups', { name: 'Sales' }))).id;
      id = (await good(ask('POST', `groups/${group}/datasets`, body))).id;
      own = (await good(ask('POST', 'datasets', body))).id;
    });

    const answers = async (by: Ask, calls: readonly (readonly [string, string, unknown?])[]) => {
      const found = [];
      for (const [method, path, body] of calls) {
        const { status, headers } = await by(method, path, body);
        found.push([method, status, headers.get('x-powerbi-error-info')]);
      }
      return found;
    };
    const everywhere = (dataset: string) =>
      [`datasets/${dataset}`, `groups/${group}/datasets/${dataset}`].flatMap((at) => [...READS(at), ...WRITES(at)]);

    it.each(['other', 'licensed', 'app'])('does not exist for %s, who has no role in its workspace', async (user) => {
      const stranger = await person(bench, user);
      for (const [, status, code] of [
        ...(await answers(stranger, everywhere(id))),
        ...(await answers(stranger, everywhere(own))),
      ])
        expect(`${status} ${code}`).toMatch(/^404 PowerBIEntityNotFound$|^403 ServicePrincipalHasNoMyWorkspace$/);
      expect((await stranger('POST', `groups/${group}/datasets`, { name: 'D', tables: [PLAIN] })).status).toBe(404);
      expect((await good(ask('GET', `groups/${group}/datasets`))).value).toHaveLength(1);
    });

    it('does not exist under another workspace, even for its owner', async () => {
      const second = (await good(ask('POST', 'groups', { name: 'Second' }))).id;
      for (const at of [`groups/${second}/datasets/${id}`, `groups/${group}/datasets/${own}`])
        for (const [, status, code] of await answers(ask, [...READS(at), ...WRITES(at)]))
          expect([status, code]).toEqual([404, 'PowerBIEntityNotFound']);
    });

    describe('is for members what their right allows', () => {
      const join = async (right: WorkspaceRight): Promise<Ask> => {
        await probe.jar.store.transact(async (tx) => {
          const { value } = (await tx.get(workspaces, group))!;
          const member = {
            principalId: LICENSED,
            principalType: 'User',
            right,
            identifier: 'l',
            displayName: 'L',
          } as const;
          await tx.put(workspaces, group, { ...value, users: [...value.users, member] });
        });
        return person(bench, 'licensed');
      };
      const at = () => `groups/${group}/datasets/${id}`;

      it('a Viewer reads and writes nothing', async () => {
        const viewer = await join('Viewer');
        expect((await answers(viewer, READS(at()))).map(([, status]) => status)).toEqual([200, 200, 200]);
        for (const [, status, code] of await answers(viewer, WRITES(at())))
          expect([status, code]).toEqual([401, 'PowerBINotAuthorizedException']);
        const created = await viewer('POST', `groups/${group}/datasets`, { name: 'D', tables: [PLAIN] });
        expect(created).toMatchObject({ status: 401, text: '' });
        expect(created.headers.get('x-powerbi-error-details')).toContain('Contributor');
      });

      it.each<WorkspaceRight>(['Contributor', 'Member', 'Admin'])('a %s reads and writes', async (right) => {
        const member = await join(right);
        const found = await answers(member, [...READS(at()), ...WRITES(at())]);
        expect(found.map(([, status]) => status)).toEqual([200, 200, 200, 200, 200, 200, 200]);
        const expected = right === 'Admin' ? 200 : 401;
        expect((await member('DELETE', `groups/${group}`)).status).toBe(expected);
      });
    });
  },
  { services: [...SERVICES, probe.service] },
);
