import { describe, expect, it } from 'vitest';
import { pause } from '../../../../src/kernel/time/timers.ts';
import { containerPlan, Group, groupPlan, withCluster } from './harness.ts';

const bench = withCluster();

async function toldOf(uid: string): Promise<void> {
  const end = Date.now() + 20_000;
  while (!bench.told.includes(uid)) {
    if (Date.now() > end) expect.fail(`nothing was told of ${uid}`);
    await pause(5);
  }
}

/** A running group whose changes have all been reported. */
async function quietGroup(): Promise<Group> {
  const group = new Group(await bench.engine(), groupPlan());
  await group.running();
  await bench.heard(() => true);
  bench.told.length = 0;
  return group;
}

const podOf = (group: Group) => bench.cluster.pods().find(({ metadata }) => metadata.name.includes(group.plan.uid))!;

const touch = (group: Group, mark: string): void => {
  const { name, namespace = '' } = podOf(group).metadata;
  bench.cluster.store.update('pods', namespace, name, (it) => {
    it.metadata.annotations = { ...it.metadata.annotations, mark };
  });
};

describe('the watch over a cluster', () => {
  it('tells of what happens to the groups of its jar and to no others', async () => {
    bench.cluster.images.set('crash:1', { ends: [{ exitCode: 1, afterMs: 1_000 }] });
    const crash = [containerPlan('web', { image: 'crash:1' })];
    const group = new Group(await bench.engine(), groupPlan({ containers: crash }));
    const before = await bench.engine('jar-two').then(() => bench.told.length);
    await group.running();
    await toldOf(group.plan.uid);
    expect(before).toBe(0);
    bench.told.length = 0;
    bench.cluster.advance(1_000);
    await toldOf(group.plan.uid);
    expect(new Set(bench.told)).toEqual(new Set([group.plan.uid]));
  });

  it('tells of reports that change nothing in the Pod', async () => {
    const group = await quietGroup();
    const { name, namespace = '', uid } = podOf(group).metadata;
    bench.cluster.store.create('events', namespace, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'unhealthy' } as never,
      type: 'Warning',
      reason: 'Unhealthy',
      message: 'Liveness probe failed',
      count: 1,
      firstTimestamp: new Date().toISOString(),
      lastTimestamp: new Date().toISOString(),
      involvedObject: { kind: 'Pod', name, namespace, uid, fieldPath: 'spec.containers{web}' },
    });
    await toldOf(group.plan.uid);
    await group.sync();
    expect(group.events('web')).toContain('Unhealthy 1');
  });

  it('continues at its position when the connection is lost', async () => {
    const group = await quietGroup();
    bench.cluster.dropWatches();
    touch(group, 'while away');
    await toldOf(group.plan.uid);
  });

  it('lists everything again when its position has expired', async () => {
    const group = await quietGroup();
    const same = new Group(await bench.engine(), groupPlan());
    await same.running();
    await bench.heard(() => true);
    bench.told.length = 0;
    bench.cluster.fail({ times: 12, match: (method, path) => method === 'GET' && path.endsWith('/pods') });
    bench.cluster.dropWatches();
    touch(group, 'while away');
    bench.cluster.store.compact();
    bench.cluster.mend();
    await toldOf(group.plan.uid);
    expect(bench.told).not.toContain(same.plan.uid);
  });

  it('tells of a Pod that went while it was away', async () => {
    const group = await quietGroup();
    bench.cluster.fail({ times: Number.POSITIVE_INFINITY });
    bench.cluster.dropWatches();
    const { name, namespace = '' } = podOf(group).metadata;
    bench.cluster.store.remove('pods', namespace, name);
    bench.cluster.store.compact();
    bench.cluster.mend();
    await toldOf(group.plan.uid);
  });

  it('can begin before the cluster responds, and then reports everything', async () => {
    const group = await quietGroup();
    bench.cluster.fail({ times: Number.POSITIVE_INFINITY });
    const late = await bench.engine();
    expect(late.description).toContain('does not respond yet');
    expect(bench.told).toEqual([]);
    bench.cluster.mend();
    await toldOf(group.plan.uid);
  });
});
