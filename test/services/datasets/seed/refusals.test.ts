import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadSeed } from '../../../../src/jar/seed.ts';
import { workspaces } from '../../../../src/services/datasets/collections.ts';
import { SERVICES } from '../../../../src/services.ts';
import { startJar } from '../../../../src/testing/index.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { withJar } from '../../../support/jars.ts';
import { ADA, APP, asUser, DEE, LIN, OTTO, seedFile, sharedWith, TEAM } from '../people.ts';
import { GROUP, PARAMETERS, RICH, SEED, WORKSPACE } from './samples.ts';

const probe = new JarProbe();

/** Applies a seed as a start does, on a jar with only a directory. */
async function seedWith(datasets: object): Promise<void> {
  const { jar } = probe;
  const folder = mkdtempSync(join(tmpdir(), 'cloudjar-seed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'seed.json');
  writeFileSync(file, JSON.stringify({ datasets }));
  const apply = await (await loadSeed(SERVICES, file)).prepare(['datasets']);
  await jar.store.transact((tx) => apply(tx, ['datasets'], jar, jar.clock.now()));
}

const inWorkspace = (changes: object) => ({ workspaces: [{ ...WORKSPACE, ...changes }] });
const withDataset = (changes: object) => inWorkspace({ datasets: [{ ...RICH, ...changes }] });
const parameter = (changes: object) => withDataset({ parameters: [{ name: 'p', type: 'Number', ...changes }] });

withJar(
  () => {
    it.each<[string, object, RegExp]>([
      ['another section', { groups: [] }, /datasets\.groups is not known here/],
      ['a workspace without a name', inWorkspace({ name: undefined }), /workspaces\[0\]\.name is required/],
      [
        'a workspace without an administrator',
        inWorkspace({ users: [asUser(LIN.address, 'Member')], datasets: [] }),
        /users: at least one user must have the right Admin/,
      ],
      [
        'an unknown user',
        inWorkspace({ users: [...WORKSPACE.users, asUser('x@y.z', 'Viewer')] }),
        /users\[4\]: the tenant has no User 'x@y\.z'/,
      ],
      [
        'an unknown first user',
        inWorkspace({ users: [asUser('x@y.z', 'Admin')] }),
        /users\[0\]\.identifier: the directory has no user 'x@y\.z'/,
      ],
      [
        'a user of another tenant',
        inWorkspace({ users: [...WORKSPACE.users, asUser(OTTO.address, 'Viewer')] }),
        /users\[4\]: the tenant has no User/,
      ],
      [
        'a user who is listed twice',
        inWorkspace({ users: [...WORKSPACE.users, asUser(ADA.id, 'Viewer')] }),
        /users\[4\]: .*is listed twice/,
      ],
      [
        'an unknown right',
        inWorkspace({ users: [asUser(ADA.address, 'Owner')] }),
        /users\[0\]\.groupUserAccessRight must be/,
      ],
      ['an unknown tenant', inWorkspace({ tenantId: TEAM }), /tenantId: the directory has no tenant/],
      [
        'two workspaces of a name',
        { workspaces: [WORKSPACE, { ...WORKSPACE, id: TEAM, name: 'SALES' }] },
        /workspaces\[1\]\.name: A workspace with the name 'SALES' already exists/,
      ],
      [
        'two workspaces of an id',
        { workspaces: [WORKSPACE, { ...WORKSPACE, name: 'Other' }] },
        /workspaces\[1\]\.id: another workspace/,
      ],
      ['two datasets of an id', inWorkspace({ datasets: [RICH, RICH] }), /datasets\[1\]\.id: another dataset/],
      [
        'an unknown owner',
        withDataset({ owner: DEE.address }),
        /datasets\[0\]\.owner: .* is not a user of the workspace/,
      ],
      [
        'an owner who may not write',
        { workspaces: [{ ...WORKSPACE, users: [asUser(ADA.address, 'Admin'), asUser(LIN.address, 'Viewer')] }] },
        /owner: .* is a Viewer, who cannot write/,
      ],
      ['a group for an owner', withDataset({ owner: TEAM }), /owner: a group cannot own a dataset/],
      [
        'a dataset without tables',
        withDataset({ tables: [] }),
        /datasets\[0\]\.tables: 'tables' must have at least one/,
      ],
      [
        'a column of an unknown type',
        withDataset({ tables: [{ name: 'T', columns: [{ name: 'a', dataType: 'blob' }] }], relationships: [] }),
        /datasets\[0\]\.tables\[0\]\.columns\[0\]\.dataType: /,
      ],
      [
        'a row that does not fit',
        withDataset({ tables: [{ ...RICH.tables[0], rows: [{ Id: 'one' }] }], relationships: [] }),
        /datasets\[0\]\.tables\[0\]\.rows\[0\]\.Id: Row 1, column 'Id'/,
      ],
      [
        'a key that is there twice',
        withDataset({ tables: [{ ...RICH.tables[0], rows: [{ Id: 1 }, { Id: 1 }] }, RICH.tables[1]] }),
        /datasets\[0\]\.rows\.Id: The value 1/,
      ],
      ['a mode of live connections', withDataset({ defaultMode: 'AsAzure' }), /datasets\[0\]\.defaultMode: 'AsAzure'/],
      [
        'too many tables',
        withDataset({
          tables: Array.from({ length: 76 }, (_, i) => ({ ...RICH.tables[0], name: `t${i}` })),
          relationships: [],
        }),
        /datasets\[0\]\.tables: Tables of a dataset: 76, and at most 75/,
      ],
      [
        'an unknown retention policy',
        withDataset({ defaultRetentionPolicy: 'Fifo' }),
        /defaultRetentionPolicy must be/,
      ],
      ['an unknown encryption status', withDataset({ encryption: 'On' }), /encryption must be/],
      [
        'too many replicas',
        withDataset({ queryScaleOutSettings: { maxReadOnlyReplicas: 65 } }),
        /maxReadOnlyReplicas must be/,
      ],
      ['an unknown storage mode', withDataset({ targetStorageMode: 'abf' }), /targetStorageMode must be/],
      [
        'a dataflow without an id',
        withDataset({ upstreamDataflows: [{ groupId: GROUP }] }),
        /upstreamDataflows\[0\]\.targetDataflowId is required/,
      ],
      [
        'a datasource with another detail',
        withDataset({ datasources: [{ connectionDetails: { host: 'x' } }] }),
        /datasources\[0\]\.connectionDetails\.host: /,
      ],
      ['a parameter of an unknown type', parameter({ type: 'Int' }), /parameters\[0\]\.type: must be one of/],
      [
        'a parameter whose value does not fit',
        parameter({ currentValue: 'x' }),
        /parameters\[0\]\.currentValue: must be a number/,
      ],
      [
        'a required parameter without a value',
        parameter({ isRequired: true }),
        /parameters\[0\]\.currentValue: must not be empty/,
      ],
      [
        'two parameters of a name',
        withDataset({ parameters: [PARAMETERS[0], PARAMETERS[0]] }),
        /parameters\[1\]\.name: there are two/,
      ],
      [
        'a dataset that is shared with an application',
        withDataset({ users: [{ ...sharedWith(APP.id, 'Read'), principalType: 'App' }] }),
        /users\[0\]\.principalType: cannot be App/,
      ],
      [
        'a dataset that is shared for nothing',
        withDataset({ users: [sharedWith(DEE.address, 'None')] }),
        /users\[0\]\.datasetUserAccessRight must be/,
      ],
      [
        'an unknown person with datasets',
        { myWorkspaces: [{ user: 'x@y.z', datasets: [] }] },
        /myWorkspaces\[0\]\.user: the directory has no user/,
      ],
      [
        'a person twice',
        { myWorkspaces: [SEED.myWorkspaces[0], SEED.myWorkspaces[0]] },
        /myWorkspaces\[1\]\.user: .* already has a "My workspace"/,
      ],
    ])('a seed with %s is refused', async (_, content, message) => {
      await expect(seedWith(content)).rejects.toThrow(message);
      expect(await probe.jar.store.count(workspaces)).toBe(0);
    });

    it('a mistake ends the start', async () => {
      const seed = seedFile({ myWorkspaces: [{ user: 'x@y.z', datasets: [] }] });
      const message = "seed file: datasets.myWorkspaces[0].user: the directory has no user 'x@y.z'";
      await expect(startJar({ seed })).rejects.toThrow(message);
    });
  },
  { services: [...SERVICES, probe.service] },
);
