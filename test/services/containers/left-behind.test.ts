import { expect, it } from 'vitest';
import type { Jar } from '../../../src/kernel/service/jar.ts';
import type { Service } from '../../../src/kernel/service/service.ts';
import type { Change, Collection } from '../../../src/kernel/store/types.ts';
import {
  dnsNames,
  groupSecrets,
  keptLogs,
  removals,
  runtimes,
  simulated,
} from '../../../src/services/containers/collections.ts';
import { syncWork } from '../../../src/services/containers/runtime/sync-work.ts';
import { SERVICES } from '../../../src/services.ts';
import { readChanges } from '../../support/changes.ts';
import { onBothStores, SUBSCRIPTION } from '../../support/jars.ts';
import { wholeService } from '../../support/whole-service.ts';
import { container, groupBody, groupPath, makeResourceGroup, putGroup } from './small-groups.ts';

/** Gives the test the jar that services receive. */
function lookIn(): { readonly service: Service; jar(): Jar } {
  let handed: Jar | undefined;
  const service = wholeService({
    name: 'look',
    title: 'A look into the jar',
    family: SERVICES[0]?.family as Service['family'],
    mounts: [],
    routes: [],
    open(jar) {
      handed = jar;
      return Promise.resolve({ close: () => Promise.resolve() });
    },
  });
  return { service, jar: () => handed as Jar };
}

const { containers, sandboxes } = simulated;
const look = lookIn();

onBothStores(
  'what there is of a container group in the store',
  (bench) => {
    // biome-ignore lint/suspicious/noExplicitAny: only their names and counts are of interest
    const everything: readonly Collection<any>[] = [
      runtimes,
      removals,
      groupSecrets,
      dnsNames,
      keptLogs,
      sandboxes,
      containers,
    ];
    const counts = async (): Promise<Record<string, number>> => {
      const { store } = look.jar();
      return Object.fromEntries(
        await Promise.all(everything.map(async (each) => [each.name, await store.count(each, {})])),
      );
    };
    const nothing = Object.fromEntries(everything.map(({ name }) => [name, 0]));
    const key = (name: string): string => groupPath(name).split('?')[0]?.toLowerCase() ?? '';
    const statesOf = async (name: string): Promise<[string, string]> => {
      const { properties } = (await bench.call('GET', groupPath(name))).body;
      return [properties.provisioningState, properties.instanceView.state];
    };
    const full = groupBody(
      [
        container('app', 'nginx', {
          ports: [{ port: 80 }],
          environmentVariables: [{ name: 'KEY', secureValue: 'hidden' }],
        }),
      ],
      { ipAddress: { type: 'Public', ports: [{ port: 80 }], dnsNameLabel: 'left-behind' } },
    );

    /** Simulates a group that the engine has lost, or that another engine ran. */
    async function lose(name: string, engine?: 'docker'): Promise<void> {
      const { store } = look.jar();
      const runtime = (await store.get(runtimes, key(name)))?.value;
      if (!runtime) throw new Error(`there is no group ${name}`);
      const runs = await store.query(containers, { prefix: `${runtime.uid}/`, limit: 100 });
      await store.transact(async (tx) => {
        for (const run of runs.items) await tx.delete(containers, run.key);
        await tx.delete(sandboxes, runtime.uid);
        if (engine) await tx.put(runtimes, key(name), { ...runtime, engine });
      });
    }

    it('is nothing after its deletion, whatever it was doing, and after that of its resource group', async () => {
      await makeResourceGroup(bench);
      await putGroup(bench, 'gone', full);
      await bench.call('POST', groupPath('gone', '/stop'));
      await bench.call('DELETE', groupPath('gone'));
      await putGroup(bench, 'gone', full);
      await putGroup(bench, 'waits', groupBody([container('app', 'simulated/missing')]));
      await putGroup(bench, 'pulls', groupBody([container('app', 'simulated/slow-pull:1h')]));
      await putGroup(bench, 'crashes', groupBody([container('app', 'simulated/crash')]));
      await bench.jar.clock.advance('5m');
      const resourceGroup = `/subscriptions/${SUBSCRIPTION}/resourcegroups/shop?api-version=2021-04-01`;
      expect((await bench.call('DELETE', resourceGroup)).status).toBe(202);
      await bench.jar.clock.advance('2h');
      expect(await counts()).toEqual(nothing);
    });

    it('is built anew when it is lost, which is told as a repair', async () => {
      await makeResourceGroup(bench);
      await putGroup(bench, 'lost', groupBody([container('app', 'nginx')]));
      await lose('lost');
      const { store, clock } = look.jar();
      const { uid } = (await store.get(runtimes, key('lost')))?.value ?? { uid: '' };
      await store.transact((tx) => tx.wake(syncWork(uid, key('lost'), clock.now())));
      await bench.jar.settled();
      expect(await statesOf('lost')).toEqual(['Succeeded', 'Running']);
      const found = (await bench.call('GET', groupPath('lost'))).body.properties;
      expect(found.instanceView.events).toMatchObject([{ name: 'SandboxChanged', count: 1 }]);
      expect(found.containers[0].properties.instanceView).toMatchObject({
        restartCount: 1,
        previousState: { state: 'Terminated', exitCode: 137 },
      });
      await bench.call('DELETE', groupPath('lost'));
      const about = (changes: readonly Change[]): Change[] =>
        changes.filter(({ subject }) => subject.endsWith('containerGroups/lost'));
      const changes = about(await readChanges(bench.jar, (all) => about(all).some(({ kind }) => kind === 'delete')));
      const states = changes.filter(({ kind }) => kind === 'state').map(({ data }) => (data as { to: unknown }).to);
      expect(states.slice(-2)).toEqual([
        { provisioningState: 'Repairing', state: 'Running' },
        { provisioningState: 'Succeeded', state: 'Running' },
      ]);
    });

    it('is run by the simulated engine when another one has run it before', async () => {
      await makeResourceGroup(bench);
      await putGroup(bench, 'moved', full);
      await putGroup(bench, 'ended', groupBody([container('job', 'simulated/exit:0')], { restartPolicy: 'Never' }));
      await lose('moved', 'docker');
      await lose('ended', 'docker');
      const { store } = look.jar();
      await store.transact((tx) => tx.put(removals, 'old', { uid: 'old', resourceId: '/old', engine: 'simulated' }));
      await bench.jar.snapshot('another-engine');
      await bench.jar.restore('another-engine');
      await expect.poll(async () => (await store.get(removals, 'old')) === undefined).toBe(true);
      await expect.poll(async () => (await store.get(runtimes, key('moved')))?.value.engine).toBe('simulated');
      await bench.jar.settled();
      expect(await statesOf('moved')).toEqual(['Succeeded', 'Running']);
      expect(await statesOf('ended')).toEqual(['Succeeded', 'Succeeded']);
      expect((await bench.call('GET', groupPath('moved', '/containers/app/logs'))).status).toBe(200);
    });
  },
  { services: [...SERVICES, look.service] },
);
