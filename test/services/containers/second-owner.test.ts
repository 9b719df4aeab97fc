import { describe, expect, it, onTestFinished } from 'vitest';
import { MANAGEMENT } from '../../../src/kernel/arm/family.ts';
import { EngineClient, filters } from '../../../src/kernel/engines/docker/client.ts';
import { LABEL, thisProcess } from '../../../src/kernel/engines/docker/names.ts';
import {
  type EngineSettings,
  type GroupEngine,
  type GroupPlan,
  type GroupStatus,
  NO_STATUS,
  openEngine,
  ownerLabel,
  simulatedCollections,
} from '../../../src/kernel/engines/index.ts';
import type { Jar } from '../../../src/kernel/service/jar.ts';
import type { Service } from '../../../src/kernel/service/service.ts';
import { simulated } from '../../../src/services/containers/collections.ts';
import { SERVICES } from '../../../src/services.ts';
import { startJar } from '../../../src/testing/index.ts';
import { containerPlan, groupPlan, shell } from '../../kernel/engines/plans.ts';
import { onBothStores, SUBSCRIPTION } from '../../support/jars.ts';
import { BUSYBOX } from '../../support/podman.ts';
import { usePodman } from '../../support/use-podman.ts';
import { wholeService } from '../../support/whole-service.ts';
import { container, groupBody, groupPath, makeResourceGroup, putGroup } from './small-groups.ts';

const LOG = { timestamps: false, maxBytes: 1000 };
const PATIENCE = { timeout: 120_000, interval: 50 };

/** A service that runs its own containers on the engine of the containers service. */
class Jobs {
  readonly collections = simulatedCollections('jobs');
  readonly service: Service;
  jar!: Jar;
  engine!: GroupEngine;

  constructor(settings: EngineSettings = {}) {
    this.service = wholeService({
      name: 'jobs',
      title: 'A second owner of containers',
      family: MANAGEMENT,
      mounts: [],
      routes: [],
      collections: Object.values(this.collections),
      open: async (jar) => {
        const owner = ownerLabel(jar.id, 'jobs');
        const place = { settingsPath: 'services.jobs', simulated: this.collections };
        this.jar = jar;
        this.engine = await openEngine({ jar, owner, settings, ...place });
        return { close: () => this.engine.close() };
      },
    });
  }

  /** One round of work on a job. */
  async sync(plan: GroupPlan, status: GroupStatus = NO_STATUS): Promise<GroupStatus> {
    const result = await this.engine.sync({
      plan,
      wanted: 'Running',
      generation: 1,
      keepSandbox: false,
      status,
      now: () => this.jar.clock.now(),
      save: async () => true,
      keepLog: async () => {},
      halt: new AbortController().signal,
    });
    return result.status;
  }
}

const jobs = new Jobs();

onBothStores(
  'a second owner of containers on the simulated engine',
  (bench) => {
    it('neither sees nor removes container groups, and they do not see what it runs', async () => {
      await makeResourceGroup(bench);
      await putGroup(bench, 'box', groupBody([container('main', 'nginx')]));
      const main = containerPlan({ image: 'busybox', command: shell('echo at work; sleep 10; exit 3') });
      const job = groupPlan({ containers: [main] });
      const begun = await jobs.sync(job);
      expect(begun.containers[0]?.current).toMatchObject({ kind: 'Running' });
      await bench.jar.clock.advance('11s');
      const status = await jobs.sync(job, begun);
      expect(status.containers[0]?.current).toMatchObject({ kind: 'Terminated', exitCode: 3 });
      const target = { uid: job.uid, container: 'main', engineId: status.containers[0]?.engineId ?? '' };
      expect((await jobs.engine.logs(target, LOG)).toString()).toBe('at work\n');

      expect(await jobs.engine.uids()).toEqual([job.uid]);
      expect(await jobs.engine.cachedImages()).toEqual([{ osType: 'Linux', image: 'busybox' }]);
      const groups = (await jobs.jar.store.query(simulated.sandboxes, { limit: 10 })).items.map(({ key }) => key);
      expect(groups).toEqual([expect.not.stringContaining(job.uid)]);
      const list = await bench.call('GET', groupPath(''));
      expect(list.body.value.map(({ name }: { name: string }) => name)).toEqual(['box']);

      // It removes its own unknown containers, and the group keeps running.
      for (const uid of [...(await jobs.engine.uids()), ...groups]) await jobs.engine.remove(uid);
      expect(await jobs.engine.uids()).toEqual([]);
      await bench.jar.clock.advance('1m');
      const { instanceView } = (await bench.call('GET', groupPath('box'))).body.properties.containers[0].properties;
      expect(instanceView).toMatchObject({ restartCount: 0, currentState: { state: 'Running' } });

      await jobs.sync(job);
      expect((await bench.call('DELETE', groupPath('box'))).status).toBe(200);
      await bench.jar.settled();
      expect((await jobs.jar.store.query(simulated.sandboxes, { limit: 10 })).items).toEqual([]);
      expect(await jobs.engine.uids()).toEqual([job.uid]);
    });
  },
  { services: [...SERVICES, jobs.service] },
);

describe('a second owner of containers on an engine of the machine', () => {
  it('keeps what it has when the containers service clears away what it does not know', async (context) => {
    const socket = await usePodman(context);
    const client = new EngineClient({ kind: 'unix', path: socket, name: socket });
    const own = new Jobs({ socket, stopGraceSeconds: 0 });
    const jar = await startJar({
      engine: 'docker',
      clock: 'shifted',
      settings: { containers: { socket, stopGraceSeconds: 0 } },
      services: [...SERVICES, own.service],
    });
    onTestFinished(async () => {
      await jar.close();
      client.close();
    });
    /** The values of a label on everything in the engine. */
    const valuesOf = async (label: string): Promise<string[]> => {
      const query = { all: true, filters: filters({ label: [`${LABEL.process}=${thisProcess()}`] }) };
      const found = await client.json<{ Labels: Record<string, string> }[]>('GET', '/containers/json', { query });
      return [...new Set(found.map(({ Labels }) => Labels[label] ?? ''))];
    };
    const uids = (): Promise<string[]> => valuesOf('cloudjar.group');
    const put = async (path: string, body: unknown): Promise<number> => {
      const headers = { authorization: `Bearer ${await jar.token()}`, 'content-type': 'application/json' };
      return (await fetch(jar.url + path, { method: 'PUT', headers, body: JSON.stringify(body) })).status;
    };
    const resourceGroup = `/subscriptions/${SUBSCRIPTION}/resourcegroups/shop?api-version=2021-04-01`;
    expect(await put(resourceGroup, { location: 'eastus' })).toBe(201);
    const body = groupBody([container('main', BUSYBOX, { command: ['sleep', '1000'] })]);
    expect(await put(groupPath('box'), body)).toBe(201);
    const job = groupPlan();
    const { containers } = await own.sync(job);
    expect(containers[0]?.current).toMatchObject({ kind: 'Running' });
    await expect.poll(async () => (await uids()).length, PATIENCE).toBe(2);
    expect(await own.engine.uids()).toEqual([job.uid]);
    // The first label is that of all releases so far, by which a jar finds its running containers.
    const { id } = own.jar;
    expect((await valuesOf('cloudjar.jar')).sort()).toEqual([id, `${id}.jobs`]);

    await jar.reset();
    await expect.poll(uids, PATIENCE).toEqual([job.uid]);
    await jar.settled();
    expect((await own.sync(job)).containers[0]?.current).toMatchObject({ kind: 'Running' });
    expect(await own.engine.uids()).toEqual([job.uid]);
  });
});
