import { describe, expect, it } from 'vitest';
import { EngineUnavailable } from '../../../../src/kernel/engines/types.ts';
import { NAMESPACE } from './api-server.ts';
import { containerPlan, Group, groupPlan, withCluster } from './harness.ts';

const bench = withCluster();

describe('a group in a cluster', () => {
  it('runs as one Pod with the labels of its jar and its own', async () => {
    const group = new Group(await bench.engine(), groupPlan());
    await group.running();
    const [pod, ...others] = bench.cluster.pods();
    expect(others).toEqual([]);
    expect(pod).toMatchObject({
      metadata: {
        name: `cj-${group.plan.uid}`,
        labels: { 'cloudjar.dev/jar': 'jar-one', 'cloudjar.dev/group': group.plan.uid },
        annotations: { 'cloudjar.dev/generation': '1', 'cloudjar.dev/resource-id': group.plan.resourceId },
      },
    });
    expect(group.status).toMatchObject({ generation: 1, sandbox: 'ready', ip: pod?.status.podIP });
    expect(group.container('web')).toMatchObject({
      run: 1,
      restartCount: 0,
      engineId: expect.stringContaining('containerd://'),
    });
    expect(group.events('web')).toEqual(['Pulling 1', 'Pulled 1', 'Created 1', 'Started 1']);
  });

  it('has a Public group reached by a Service with an address of its own, and no other group', async () => {
    const engine = await bench.engine();
    const ports = [
      { port: 80, protocol: 'TCP' as const },
      { port: 53, protocol: 'UDP' as const },
    ];
    const open = new Group(engine, groupPlan({ network: { address: 'Public', ports, dns: undefined } }));
    const closed = new Group(engine, groupPlan({ network: { address: 'Private', ports, dns: undefined } }));
    await open.until(({ status }) => status.ip !== undefined);
    await closed.running();
    expect(open.status.ip).toMatch(/^203\.0\.113\./);
    expect(closed.status.ip).toMatch(/^10\./);
    expect(bench.cluster.services()).toHaveLength(1);
    expect(bench.cluster.services()[0]).toMatchObject({
      metadata: { ownerReferences: [{ kind: 'Pod', name: `cj-${open.plan.uid}` }] },
      spec: { type: 'LoadBalancer', selector: { 'cloudjar.dev/group': open.plan.uid } },
    });
  });

  it('runs init containers one after the other, before all others', async () => {
    bench.cluster.images.set('step:1', { ends: [{ exitCode: 0, afterMs: 5_000 }] });
    const init = [containerPlan('first', { image: 'step:1' }), containerPlan('second', { image: 'step:1' })];
    const group = new Group(await bench.engine(), groupPlan({ init }));
    const states = () => [...group.status.init, ...group.status.containers].map(({ current }) => current.kind);
    await group.until(() => states()[0] === 'Running');
    expect(states()).toEqual(['Running', 'Waiting', 'Waiting']);
    expect(group.container('web').current).toEqual({ kind: 'Waiting', reason: 'PodInitializing' });
    bench.cluster.advance(5_000);
    await group.until(() => states()[1] === 'Running');
    expect(states()).toEqual(['Terminated', 'Running', 'Waiting']);
    bench.cluster.advance(5_000);
    await group.running();
    expect(group.container('second').current).toMatchObject({ kind: 'Terminated', exitCode: 0, reason: 'Completed' });
  });

  it('tells of a crash loop: waiting, how the last run ended, how often it came back', async () => {
    bench.cluster.images.set('crash:1', { ends: [{ exitCode: 3, afterMs: 1_000 }] });
    const group = new Group(
      await bench.engine(),
      groupPlan({ containers: [containerPlan('web', { image: 'crash:1' })] }),
    );
    await group.running();
    bench.cluster.advance(1_000);
    await group.until(() => group.container('web').restartCount === 1);
    expect(group.container('web')).toMatchObject({ run: 2, previous: { kind: 'Terminated', exitCode: 3 } });
    bench.cluster.advance(1_500);
    await group.until(() => group.container('web').current.kind === 'Waiting');
    expect(group.container('web')).toMatchObject({
      run: 2,
      restartCount: 1,
      current: { reason: 'CrashLoopBackOff' },
      previous: { kind: 'Terminated', exitCode: 3, reason: 'Error' },
      retryAt: expect.any(Number),
    });
    expect(group.events('web')).toContain('BackOff 1');
    bench.cluster.advance(10_000);
    await group.until(() => group.container('web').restartCount === 2);
    expect(group.container('web').events.find(({ name }) => name === 'Started')?.count).toBe(3);
  });

  it('tells of an image that cannot be pulled', async () => {
    bench.cluster.images.set('missing:1', { missing: true });
    const group = new Group(
      await bench.engine(),
      groupPlan({ containers: [containerPlan('web', { image: 'missing:1' })] }),
    );
    await group.until(() => group.events('web').includes('BackOff 1'));
    expect(group.container('web')).toMatchObject({
      run: 0,
      current: { kind: 'Waiting', reason: 'ImagePullBackOff' },
      retryAt: expect.any(Number),
    });
    expect(group.container('web').events.find(({ name }) => name === 'Failed')).toMatchObject({
      type: 'Warning',
      count: 1,
    });
  });

  it('ends with its containers where the policy says so, and is not begun anew when its Pod is cleared away', async () => {
    bench.cluster.images.set('job:1', { ends: [{ exitCode: 0, afterMs: 0 }] });
    const containers = [containerPlan('web', { image: 'job:1' })];
    const group = new Group(await bench.engine(), groupPlan({ restartPolicy: 'OnFailure', containers }));
    await group.until(() => group.container('web').current.kind === 'Terminated');
    expect(group.container('web').current).toMatchObject({ exitCode: 0, reason: 'Completed' });
    bench.cluster.store.remove('pods', NAMESPACE, `cj-${group.plan.uid}`);
    await group.sync();
    expect(group.container('web').current).toMatchObject({ kind: 'Terminated', exitCode: 0 });
    expect(bench.cluster.pods()).toEqual([]);
  });

  it('fails readiness without being restarted', async () => {
    bench.cluster.images.set('slow:1', { unready: true });
    const check = { kind: 'exec' as const, command: ['true'] };
    const timings = {
      initialDelaySeconds: 0,
      periodSeconds: 10,
      failureThreshold: 1,
      successThreshold: 1,
      timeoutSeconds: 1,
    };
    const containers = [containerPlan('web', { image: 'slow:1', readiness: { check, ...timings } })];
    const group = new Group(await bench.engine(), groupPlan({ containers }));
    await group.until(() => (group.container('web').readiness?.failures ?? 0) > 0);
    expect(group.container('web')).toMatchObject({ current: { kind: 'Running' }, readiness: { passing: false } });
    expect(group.container('web').events.map(({ name }) => name)).toContain('Unhealthy');
  });

  it('is made anew for a restart: same address, former count of restarts, a higher count of starts', async () => {
    bench.cluster.images.set('twice:1', {
      ends: [
        { exitCode: 1, afterMs: 0 },
        { exitCode: 0, afterMs: 1e9 },
      ],
    });
    const network = { address: 'Public' as const, ports: [{ port: 80, protocol: 'TCP' as const }], dns: undefined };
    const containers = [containerPlan('web', { image: 'twice:1' })];
    const group = new Group(await bench.engine(), groupPlan({ network, containers }));
    await group.until(() => group.container('web')?.restartCount === 1 && group.status.ip !== undefined);
    const { ip } = group.status;
    const former = bench.cluster.pods()[0]?.metadata.uid;
    bench.cluster.images.clear();
    group.restart();
    await group.sync();
    await bench.heard(() => bench.cluster.pods().length === 0);
    await group.running();
    await group.until(() => group.status.ip !== undefined);
    expect(bench.cluster.pods()[0]?.metadata.uid).not.toBe(former);
    expect(group.status.ip).toBe(ip);
    expect(group.container('web')).toMatchObject({
      restartCount: 1,
      run: 3,
      previous: { kind: 'Terminated', exitCode: 143 },
    });
    expect(group.events('web')).toEqual(['Pulling 3', 'Pulled 3', 'Created 3', 'Started 3', 'Killing 1']);
    expect(bench.cluster.services()).toHaveLength(1);
  });

  it('shows the deployment before until the one that is wanted has begun', async () => {
    bench.cluster.images.set('web:1', { ignoresTerm: true });
    const group = new Group(await bench.engine(), groupPlan());
    await group.running();
    group.restart();
    await group.sync();
    await group.sync();
    expect(group.status.generation).toBe(1);
    expect(bench.cluster.pods()).toHaveLength(1);
    bench.cluster.advance(10_000);
    await group.running();
    expect(group.container('web').previous).toMatchObject({ kind: 'Terminated', exitCode: 137 });
  });

  it('keeps the end of its logs when it is stopped, leaves nothing in the cluster, and starts afresh', async () => {
    bench.cluster.images.set('web:1', {
      writes: `${Array.from({ length: 1500 }, (_, n) => `line ${n}`).join('\n')}\n`,
    });
    const network = { address: 'Public' as const, ports: [{ port: 80, protocol: 'TCP' as const }], dns: undefined };
    const env = [{ name: 'PASSWORD', value: 'secret' }];
    const group = new Group(await bench.engine(), groupPlan({ network, containers: [containerPlan('web', { env })] }));
    await group.running();
    await group.until(({ status }) => status.ip !== undefined);
    const first = group.status.ip;
    group.wanted = 'Stopped';
    await group.sync();
    await bench.heard(() => bench.cluster.pods().length === 0);
    await group.until(({ status }) => status.sandbox === 'absent');
    expect(group.container('web')).toMatchObject({
      current: { kind: 'Terminated', exitCode: 143, reason: expect.stringContaining('client asked') },
      previous: { kind: 'Running' },
    });
    expect(group.status.ip).toBeUndefined();
    expect(group.kept.get('web')?.split('\n')).toHaveLength(1001);
    expect(group.kept.get('web')).toMatch(/^line 500\n/);
    expect([bench.cluster.pods(), bench.cluster.secrets(), bench.cluster.services()]).toEqual([[], [], []]);
    group.wanted = 'Running';
    group.generation = 2;
    await group.running();
    await group.until(({ status }) => status.ip !== undefined);
    expect(group.status.ip).not.toBe(first);
    expect(group.container('web')).toMatchObject({ run: 2, restartCount: 0 });
  });

  it('is created again when its Pod is deleted from outside', async () => {
    const env = [{ name: 'PASSWORD', value: 'secret' }];
    const group = new Group(await bench.engine(), groupPlan({ containers: [containerPlan('web', { env })] }));
    await group.running();
    bench.cluster.store.remove('pods', NAMESPACE, `cj-${group.plan.uid}`);
    await group.until(({ status }) => status.events.some(({ name }) => name === 'SandboxChanged'));
    await group.running();
    expect(group.container('web')).toMatchObject({ run: 2, restartCount: 1, previous: { exitCode: 137 } });
    expect(bench.cluster.secrets()).toHaveLength(1);
  });

  it('is created again when its Pod was evicted', async () => {
    const group = new Group(await bench.engine(), groupPlan());
    await group.running();
    bench.cluster.hold();
    bench.cluster.store.update('pods', NAMESPACE, `cj-${group.plan.uid}`, (pod) => {
      pod.status = {
        ...pod.status,
        phase: 'Failed',
        reason: 'Evicted',
        message: 'The node was low on resource: memory.',
      };
    });
    await group.sync();
    expect(group.status).toMatchObject({
      sandbox: 'lost',
      events: [{ name: 'SandboxChanged', message: 'The node was low on resource: memory.' }],
    });
    bench.cluster.release();
    await group.running();
    expect(group.container('web')).toMatchObject({ run: 2, restartCount: 1 });
  });

  it('ends with its Pod where it may run once only', async () => {
    const group = new Group(await bench.engine(), groupPlan({ restartPolicy: 'Never' }));
    await group.running();
    bench.cluster.hold();
    bench.cluster.store.update('pods', NAMESPACE, `cj-${group.plan.uid}`, (pod) => {
      pod.status = { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.' };
    });
    await group.sync();
    const { current } = group.container('web');
    expect(current).toMatchObject({ kind: 'Terminated', exitCode: 137, reason: 'Evicted' });
    await group.sync();
    expect(group.container('web').current).toEqual(current);
    expect(bench.cluster.pods()).toHaveLength(1);
  });

  it('has ended when it was last seen if a node that came back knows nothing of its containers', async () => {
    const group = new Group(await bench.engine(), groupPlan({ restartPolicy: 'Never' }));
    await group.running();
    const { current } = group.container('web');
    const startedAt = current.kind === 'Running' ? current.startedAt : 0;
    bench.cluster.hold();
    bench.cluster.store.update('pods', NAMESPACE, `cj-${group.plan.uid}`, (pod) => {
      pod.metadata.annotations = { ...pod.metadata.annotations, 'cloudjar.dev/carried': 'null' };
      const terminated = { exitCode: 137, reason: 'ContainerStatusUnknown', startedAt: null, finishedAt: null };
      pod.status.phase = 'Failed';
      pod.status.containerStatuses[0].state = { terminated };
      pod.status.containerStatuses[0].lastState = {};
    });
    await group.sync();
    const ended = group.container('web').current;
    expect(ended).toMatchObject({ kind: 'Terminated', reason: 'ContainerStatusUnknown', startedAt });
    expect(ended.kind === 'Terminated' && ended.finishedAt).toBeGreaterThanOrEqual(startedAt + 1);
  });

  it('is stopped even if its node cannot be asked for its logs', async () => {
    const group = new Group(await bench.engine(), groupPlan());
    await group.running();
    group.wanted = 'Stopped';
    bench.cluster.fail({ times: 100, status: 502, match: (_method, path) => path.endsWith('/log') });
    await group.until(({ status }) => status.sandbox === 'absent');
    expect(bench.cluster.pods()).toEqual([]);
  });

  it('reports what the cluster rejects, and retries with backoff', async () => {
    const mounts = [{ volume: 'not-there', path: '/data', readOnly: false }];
    const group = new Group(await bench.engine(), groupPlan({ containers: [containerPlan('web', { mounts })] }));
    const first = await group.sync();
    expect(group.status.events).toMatchObject([{ name: 'Failed', type: 'Warning', count: 1 }]);
    expect(group.status.events[0]?.message).toContain('volume not-there is not there');
    expect(first.again! - Date.now()).toBeGreaterThan(8_000);
    await group.sync();
    expect(group.status.events).toMatchObject([{ count: 1 }]);
    group.shift += 11_000;
    const second = await group.sync();
    expect(group.status.events).toMatchObject([{ count: 2 }]);
    expect(second.again! - (Date.now() + group.shift)).toBeGreaterThan(18_000);
    await group.sync();
    expect(bench.cluster.pods()).toEqual([]);
  });

  it('waits where no node can take it, and says so', async () => {
    const resources = {
      requests: { cpu: 1, memoryBytes: 1e9 },
      limits: { cpu: 1, memoryBytes: 1e9 },
      gpu: { count: 1, sku: 'V100' },
    };
    const group = new Group(await bench.engine(), groupPlan({ containers: [containerPlan('web', { resources })] }));
    await group.until(({ status }) => status.events.length > 0);
    expect(group.status.events).toMatchObject([{ name: 'Failed', type: 'Warning' }]);
    expect(group.container('web')).toMatchObject({ current: { reason: 'Unschedulable' }, retryAt: expect.any(Number) });
    const [pod] = bench.cluster.pods();
    expect(pod?.spec.nodeSelector).toEqual({ 'kubernetes.io/os': 'linux', 'cloudjar.dev/gpu-sku': 'V100' });
  });

  it('keeps reported times, however far the clock of the jar is moved', async () => {
    const group = new Group(await bench.engine(), groupPlan());
    await group.running();
    const before = structuredClone(group.status);
    group.shift += 36 * 3_600_000;
    await group.sync();
    expect(group.status).toEqual(before);
    group.restart();
    await group.running();
    const { current } = group.container('web');
    expect(current.kind === 'Running' && current.startedAt - Date.now()).toBeGreaterThan(35 * 3_600_000);
  });

  it('is described by the version and the place', async () => {
    expect((await bench.engine()).description).toMatch(
      /^Kubernetes v1\.34\.1 at https:\/\/127\.0\.0\.1:\d+, namespace jars$/,
    );
  });

  it('lists the images that nodes have, if it may', async () => {
    const engine = await bench.engine();
    expect(await engine.cachedImages()).toEqual([{ osType: 'Linux', image: 'docker.io/library/busybox:1' }]);
    bench.cluster.nodesForbidden = true;
    expect(await engine.cachedImages()).toEqual([]);
  });

  it('says so when the cluster does not answer', async () => {
    const engine = await bench.engine();
    bench.cluster.fail({ times: 1, status: 503, match: (_method, path) => path.endsWith('/nodes') });
    await expect(engine.cachedImages()).rejects.toThrow(EngineUnavailable);
  });
});
