import { expect, it } from 'vitest';
import { SERVICES } from '../../../../src/services.ts';
import { startJar } from '../../../../src/testing/index.ts';
import { blocksOf } from '../../../docs/examples.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onBothStores } from '../../../support/jars.ts';
import { ADA, APP, DEE, LIN, NOT_FOUND, OTTO, outcome, seedFile, TEAM } from '../people.ts';
import { good, person, rowsOf } from '../support.ts';
import { DATAFLOW, DATASET, DETAILS, GROUP, PARAMETERS, RICH, SEED } from './samples.ts';

const probe = new JarProbe();

onBothStores(
  'the seed of push datasets',
  (bench) => {
    it('gives an empty jar workspaces with users, and datasets with all that they have', async () => {
      const ada = await person(bench);
      const { value: groups } = await good(ada('GET', 'groups'));
      expect(groups.map(({ name }: { name: string }) => name).sort()).toEqual(['Empty', 'Sales']);
      const { value: users } = await good(ada('GET', `groups/${GROUP}/users`));
      expect(users).toMatchObject([
        { identifier: ADA.address, groupUserAccessRight: 'Admin', displayName: 'Ada Admin' },
        { identifier: LIN.address, groupUserAccessRight: 'Contributor', principalType: 'User' },
        { identifier: APP.id, groupUserAccessRight: 'Member', principalType: 'App' },
        { identifier: TEAM, groupUserAccessRight: 'Viewer', principalType: 'Group', displayName: 'Team' },
      ]);
      const path = `groups/${GROUP}/datasets`;
      const { value: found } = await good(ada('GET', `${path}?$expand=encryption`));
      expect(found).toMatchObject([
        {
          id: DATASET,
          name: 'Rich',
          description: 'With everything',
          configuredBy: LIN.address,
          targetStorageMode: 'PremiumFiles',
          encryption: { EncryptionStatus: 'InSyncWithWorkspace' },
          queryScaleOutSettings: { autoSyncReadOnlyReplicas: true, maxReadOnlyReplicas: -1 },
          upstreamDataflows: [DATAFLOW],
          users: [],
          createdDate: bench.jar.clock.now().toISOString(),
        },
      ]);
      expect((await good(ada('GET', `${path}/upstreamDataflows`))).value).toEqual([
        { datasetObjectId: DATASET, dataflowObjectId: DATAFLOW.targetDataflowId, workspaceObjectId: GROUP },
      ]);
      expect((await good(ada('GET', `${path}/${DATASET}/parameters`))).value).toEqual(PARAMETERS);
      expect((await good(ada('GET', `${path}/${DATASET}/datasources`))).value).toEqual([
        {
          datasourceType: 'Sql',
          connectionDetails: { server: 's', database: 'd' },
          datasourceId: '',
          gatewayId: '',
        },
        { ...RICH.datasources[1], connectionDetails: DETAILS },
      ]);
      expect((await good(ada('GET', `${path}/${DATASET}/users`))).value).toMatchObject([
        { identifier: ADA.address, datasetUserAccessRight: 'ReadWriteReshareExplore' },
        { identifier: LIN.address, datasetUserAccessRight: 'ReadWriteReshareExplore' },
        { identifier: APP.id, datasetUserAccessRight: 'ReadWriteReshareExplore' },
        { identifier: TEAM, datasetUserAccessRight: 'Read' },
        { identifier: DEE.address, datasetUserAccessRight: 'ReadWriteExplore' },
      ]);
      expect(await rowsOf(probe.jar, DATASET, 'Product')).toEqual([
        [1, 'Bolt'],
        [2, 'Nut'],
      ]);
      expect(await rowsOf(probe.jar, DATASET, 'Sale')).toEqual([[1, 25_000]]);
    });

    it('gives users their own datasets, and other tenants theirs', async () => {
      expect((await good((await person(bench))('GET', 'datasets'))).value).toMatchObject([{ name: 'Mine' }]);
      const otto = await person(bench, OTTO.alias);
      expect((await good(otto('GET', 'groups'))).value).toMatchObject([{ name: 'Sales' }]);
      expect(outcome(await otto('GET', `groups/${GROUP}`))).toEqual(NOT_FOUND);
      expect(outcome(await otto('GET', `datasets/${DATASET}`))).toEqual(NOT_FOUND);
      const dee = await person(bench, DEE.alias);
      await good(dee('POST', `datasets/${DATASET}/tables/Product/rows`, { rows: [{ Id: 3 }] }));
    });

    it('exists again after a reset, under the same ids', async () => {
      const ada = await person(bench);
      const ids = async () => [await good(ada('GET', 'groups')), await good(ada('GET', 'datasets'))];
      const before = (await ids()).map(({ value }) => value.map(({ id }: { id: string }) => id));
      await good(ada('DELETE', `groups/${GROUP}`));
      await good(ada('POST', 'datasets', { name: 'More', tables: RICH.tables }));
      await bench.jar.reset();
      const again = await person(bench);
      const after = [await good(again('GET', 'groups')), await good(again('GET', 'datasets'))];
      expect(after.map(({ value }) => value.map(({ id }: { id: string }) => id))).toEqual(before);
      expect(await rowsOf(probe.jar, DATASET, 'Product')).toHaveLength(2);
    });
  },
  { services: [...SERVICES, probe.service], seed: seedFile(SEED) },
);

it('the example of docs/reference/seed.md is a seed', async () => {
  const blocks = await blocksOf('docs/reference/seed.md');
  const example = blocks.find(({ language, code }) => language === 'json' && /^\{\s*"datasets"/.test(code));
  const { datasets } = JSON.parse(example?.code ?? '');
  await using jar = await startJar({ seed: seedFile(datasets) });
  const token = await jar.token({ user: LIN.alias });
  const [{ id }] = datasets.workspaces[0].datasets;
  const answer = await fetch(`${jar.url}/v1.0/myorg/datasets/${id}`, { headers: { authorization: `Bearer ${token}` } });
  expect(await answer.json()).toMatchObject({ name: 'Orders', configuredBy: ADA.address });
});
