import { beforeEach, describe, expect, it } from 'vitest';
import { NEEDS, type NeedName, type Needs } from '../../../../src/services/datasets/access/needs.ts';
import {
  DATASET_RIGHT_NAMES,
  DATASET_RIGHTS,
  type DatasetRight,
  type Permission,
} from '../../../../src/services/datasets/access/permissions.ts';
import { ROLES, type WorkspacePermission } from '../../../../src/services/datasets/access/roles.ts';
import { WORKSPACE_RIGHTS } from '../../../../src/services/datasets/collections.ts';
import { datasetsRoutes } from '../../../../src/services/datasets/routes.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { ADA, asUser, memberOf, seedFile, sharedWith } from '../people.ts';
import { PLAIN } from '../support.ts';

const GROUP = '6d3f3a6e-0c3b-4a39-8d6a-7f0f6a0a0001';
const DATASET = '6d3f3a6e-0c3b-4a39-8d6a-7f0f6a0a0002';

/** A sample request per operation. An allowed request may still be rejected for a reason other than missing rights. */
interface Sample {
  readonly needs: NeedName;
  readonly method: string;
  /** Path after `/v1.0/myorg`, or after the workspace. */
  readonly path: string;
  readonly body?: unknown;
  /** The request changes state that later samples depend on. */
  readonly spoils?: true;
}

const SAMPLES: Readonly<Record<string, Sample>> = {
  List: { needs: 'datasetRead', method: 'GET', path: '/datasets' },
  Create: { needs: 'datasetWrite', method: 'POST', path: '/datasets', body: {} },
  Get: { needs: 'datasetRead', method: 'GET', path: '/datasets/{id}' },
  Update: { needs: 'datasetOwn', method: 'PATCH', path: '/datasets/{id}', body: {} },
  Delete: { needs: 'datasetWrite', method: 'DELETE', path: '/datasets/{id}', spoils: true },
  ListTables: { needs: 'datasetRead', method: 'GET', path: '/datasets/{id}/tables' },
  PutTable: { needs: 'datasetWrite', method: 'PUT', path: '/datasets/{id}/tables/Plain', body: {} },
  PostRows: { needs: 'datasetWrite', method: 'POST', path: '/datasets/{id}/tables/Plain/rows', body: { rows: [] } },
  DeleteRows: { needs: 'datasetWrite', method: 'DELETE', path: '/datasets/{id}/tables/Plain/rows' },
  GetSequenceNumbers: { needs: 'datasetRead', method: 'GET', path: '/datasets/{id}/tables/Plain/sequenceNumbers' },
  ExecuteQueries: {
    needs: 'datasetQuery',
    method: 'POST',
    path: '/datasets/{id}/executeQueries',
    body: { queries: [{ query: 'EVALUATE Plain' }] },
  },
  GetDatasources: { needs: 'datasetRead', method: 'GET', path: '/datasets/{id}/datasources' },
  GetUsers: { needs: 'datasetUsersRead', method: 'GET', path: '/datasets/{id}/users' },
  PostUser: {
    needs: 'datasetUsersAdd',
    method: 'POST',
    path: '/datasets/{id}/users',
    body: sharedWith(ADA.address, 'Read'),
  },
  PutUser: {
    needs: 'datasetUsersChange',
    method: 'PUT',
    path: '/datasets/{id}/users',
    body: sharedWith(ADA.address, 'ReadWriteReshareExplore'),
  },
  GetParameters: { needs: 'datasetRead', method: 'GET', path: '/datasets/{id}/parameters' },
  UpdateParameters: {
    needs: 'datasetOwn',
    method: 'POST',
    path: '/datasets/{id}/Default.UpdateParameters',
    body: { updateDetails: [{ name: 'none' }] },
  },
  GetRefreshHistory: { needs: 'datasetRead', method: 'GET', path: '/datasets/{id}/refreshes' },
  Refresh: { needs: 'datasetWrite', method: 'POST', path: '/datasets/{id}/refreshes', body: {} },
  GetRefreshSchedule: { needs: 'datasetRead', method: 'GET', path: '/datasets/{id}/refreshSchedule' },
  UpdateRefreshSchedule: { needs: 'datasetOwn', method: 'PATCH', path: '/datasets/{id}/refreshSchedule', body: {} },
  TakeOver: { needs: 'datasetWrite', method: 'POST', path: '/datasets/{id}/Default.TakeOver', spoils: true },
  GetUpstreamDataflows: { needs: 'datasetRead', method: 'GET', path: '/datasets/upstreamDataflows' },
  GetGroup: { needs: 'workspaceRead', method: 'GET', path: '' },
  ListGroupUsers: { needs: 'workspaceRead', method: 'GET', path: '/users' },
  UpdateGroup: { needs: 'workspaceManage', method: 'PATCH', path: '', body: {} },
  AddGroupUser: { needs: 'workspaceManage', method: 'POST', path: '/users', body: {} },
  UpdateGroupUser: { needs: 'workspaceManage', method: 'PUT', path: '/users', body: {} },
  DeleteGroupUser: { needs: 'workspaceManage', method: 'DELETE', path: `/users/{viewer}`, spoils: true },
  DeleteGroup: { needs: 'workspaceManage', method: 'DELETE', path: '', spoils: true },
};

/** Every caller here has a right through a group that the token names. */
const groupOf = (name: string): string => {
  const all: readonly string[] = [...WORKSPACE_RIGHTS, ...DATASET_RIGHT_NAMES];
  return `7e3f3a6e-0c3b-4a39-8d6a-7f0f6a0a01${String(all.indexOf(name)).padStart(2, '0')}`;
};

const SHARED_RIGHTS = DATASET_RIGHT_NAMES.filter((right) => right !== 'None');

const SEED = {
  workspaces: [
    {
      id: GROUP,
      name: 'Matrix',
      users: [
        asUser(ADA.address, 'Admin'),
        ...WORKSPACE_RIGHTS.map((right) => ({
          identifier: groupOf(right),
          principalType: 'Group',
          groupUserAccessRight: right,
        })),
      ],
      datasets: [
        {
          id: DATASET,
          name: 'd',
          tables: [PLAIN],
          users: SHARED_RIGHTS.map((right) => ({
            identifier: groupOf(right),
            principalType: 'Group',
            datasetUserAccessRight: right,
          })),
        },
      ],
    },
  ],
};

type Verdict = 'allowed' | 'refused' | 'hidden';

/** The expected outcome, derived from the tables in the simplest way. */
function expected(
  { workspace, dataset = [], owner, hides }: Needs,
  has: { readonly workspace: readonly WorkspacePermission[]; readonly dataset: DatasetRight },
): Verdict {
  const permissions: readonly Permission[] = DATASET_RIGHTS[has.dataset];
  if (workspace) return has.workspace.includes(workspace) ? 'allowed' : 'refused';
  if (permissions.length === 0) return 'hidden';
  if (owner) return 'refused';
  if (dataset.every((each) => permissions.includes(each))) return 'allowed';
  return hides ? 'hidden' : 'refused';
}

const verdictOf = (status: number): Verdict => (status === 401 ? 'refused' : status === 404 ? 'hidden' : 'allowed');

describe('the samples', () => {
  it('are of every operation that needs a right, with the need that it declares', () => {
    const declared = datasetsRoutes.flatMap(({ operation, traits }) => {
      const { needs } = (traits ?? {}) as { readonly needs?: NeedName };
      const isAboutCaller = needs === undefined || (!('workspace' in NEEDS[needs]) && !('dataset' in NEEDS[needs]));
      return isAboutCaller ? [] : [[operation.replace(/^Datasets_|InGroup$|InCollection$/g, ''), needs] as const];
    });
    const wanted = Object.fromEntries(declared);
    expect(Object.fromEntries(Object.entries(SAMPLES).map(([name, { needs }]) => [name, needs]))).toEqual(wanted);
  });
});

onAnyStore(
  'what each right allows',
  (bench) => {
    beforeEach(() => bench.jar.reset());

    async function verdicts(right: string, samples: readonly (readonly [string, Sample])[], prefix: string) {
      const ask = await memberOf(bench, 'no-job-queue', groupOf(right));
      const found: Record<string, Verdict> = {};
      for (const [name, { method, path, body, spoils }] of samples) {
        const address = prefix + path.replace('{id}', DATASET).replace('{viewer}', groupOf('Viewer'));
        found[name] = verdictOf((await ask(method, address.replace(/^\//, ''), body)).status);
        if (spoils) await bench.jar.reset();
      }
      return found;
    }

    it.each(WORKSPACE_RIGHTS)('a %s does what the tables say, and nothing else', async (role) => {
      const { workspace, datasets: dataset } = ROLES[role];
      const samples = Object.entries(SAMPLES);
      const wanted = samples.map(([name, { needs }]) => [name, expected(NEEDS[needs], { workspace, dataset })]);
      expect(await verdicts(role, samples, `groups/${GROUP}`)).toEqual(Object.fromEntries(wanted));
    });

    /** Operations on one dataset that also exist outside group workspaces. */
    const ofDataset = Object.entries(SAMPLES).filter(
      ([name, { path }]) => path.includes('{id}') && name !== 'TakeOver',
    );

    it.each(DATASET_RIGHT_NAMES)('with whom a dataset is shared as %s does what the tables say', async (right) => {
      const has = { workspace: [], dataset: right };
      const wanted = ofDataset.map(([name, { needs }]) => [name, expected(NEEDS[needs], has)]);
      expect(await verdicts(right, ofDataset, '')).toEqual(Object.fromEntries(wanted));
    });

    it.each(['Read', 'ReadWriteReshareExplore'])(
      'with whom a dataset is shared as %s does not see its workspace',
      async (right) => {
        const samples = Object.entries(SAMPLES);
        const wanted = samples.map(([name]) => [name, 'hidden']);
        expect(await verdicts(right, samples, `groups/${GROUP}`)).toEqual(Object.fromEntries(wanted));
      },
    );

    const named = (names: readonly string[]) => Object.entries(SAMPLES).filter(([name]) => names.includes(name));

    it.each<[string, readonly string[], readonly string[]]>([
      [
        'Viewer',
        ['List', 'Get', 'ListTables', 'GetGroup', 'ListGroupUsers'],
        ['PostRows', 'Create', 'Delete', 'GetUsers'],
      ],
      ['Contributor', ['Create', 'PostRows', 'PutTable', 'Delete', 'TakeOver'], ['PostUser', 'AddGroupUser', 'Update']],
      ['Member', ['PostRows', 'PostUser', 'PutUser', 'GetUsers'], ['AddGroupUser', 'UpdateGroup', 'DeleteGroup']],
      ['Admin', ['PostUser', 'AddGroupUser', 'UpdateGroup', 'DeleteGroupUser', 'DeleteGroup'], ['Update']],
    ])('a %s may %j and may not %j', async (role, may, mayNot) => {
      const found = await verdicts(role, named([...may, ...mayNot]), `groups/${GROUP}`);
      expect(may.filter((name) => found[name] !== 'allowed')).toEqual([]);
      expect(mayNot.filter((name) => found[name] !== 'refused')).toEqual([]);
    });

    it('a query needs permission to explore, and is not found without', async () => {
      const only = named(['ExecuteQueries']);
      const group = `groups/${GROUP}`;
      expect(await verdicts('Viewer', only, group)).toEqual({ ExecuteQueries: 'hidden' });
      expect(await verdicts('Contributor', only, group)).toEqual({ ExecuteQueries: 'allowed' });
      expect(await verdicts('ReadWriteReshare', only, '')).toEqual({ ExecuteQueries: 'hidden' });
      expect(await verdicts('ReadExplore', only, '')).toEqual({ ExecuteQueries: 'allowed' });
    });

    it.each<[DatasetRight, readonly string[], readonly string[]]>([
      ['Read', ['Get', 'ListTables'], ['PostRows', 'Delete', 'GetUsers', 'PostUser']],
      ['ReadReshare', ['Get', 'GetUsers', 'PostUser'], ['PutUser', 'PostRows']],
      ['ReadWrite', ['Get', 'PostRows', 'PutTable', 'DeleteRows'], ['PostUser', 'Update', 'UpdateParameters']],
      ['ReadWriteReshareExplore', ['PostRows', 'PostUser', 'PutUser'], ['Update']],
    ])('with whom a dataset is shared as %s may %j and may not %j', async (right, may, mayNot) => {
      const found = await verdicts(right, named([...may, ...mayNot]), '');
      expect(may.filter((name) => found[name] !== 'allowed')).toEqual([]);
      expect(mayNot.filter((name) => found[name] !== 'refused')).toEqual([]);
    });
  },
  { seed: seedFile(SEED) },
);
