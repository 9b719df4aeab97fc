import { describe, expect, it } from 'vitest';
import { EngineUnavailable } from '../../../../src/kernel/engines/types.ts';
import { NAMESPACE } from './api-server.ts';
import { containerPlan, Group, groupPlan, withCluster } from './harness.ts';

const bench = withCluster();

const network = { address: 'Public' as const, ports: [{ port: 80, protocol: 'TCP' as const }], dns: undefined };
const containers = [containerPlan('web', { env: [{ name: 'PASSWORD', value: 'hidden' }] })];
const fullPlan = () => groupPlan({ network, containers });

const everything = () => [...bench.cluster.pods(), ...bench.cluster.secrets(), ...bench.cluster.services()];

const creates = (what: string) => (method: string, path: string) => method === 'POST' && path.endsWith(`/${what}`);

describe('a cluster that fails', () => {
  for (const status of [401, 408, 429, 500, 503, undefined]) {
    it(`is unavailable while it ${status ? `answers ${status}` : 'cuts connections'}, and serves again afterwards`, async () => {
      const group = new Group(await bench.engine(), fullPlan());
      await group.running();
      bench.cluster.fail({ times: Number.POSITIVE_INFINITY, ...(status && { status }) });
      await expect(group.sync()).rejects.toThrow(EngineUnavailable);
      bench.cluster.mend();
      await group.running();
      expect(group.container('web')).toMatchObject({ run: 1, restartCount: 0 });
    });
  }

  it('is waited for when it is slow', async () => {
    const group = new Group(await bench.engine(), fullPlan());
    bench.cluster.fail({ times: 10, delayMs: 100 });
    await group.running();
    expect(group.container('web').run).toBe(1);
  });

  it('is detected when it hangs: calls are aborted and further ones fail, until it responds again', async () => {
    const engine = await bench.engine('jar-one', 'jar', 10, 2);
    const group = new Group(engine, fullPlan());
    await group.running();
    const exec = () => engine.exec(group.target('web'), { command: ['sh'], rows: 24, cols: 80 });
    const reasons = async () => {
      const settled = await Promise.allSettled([group.sync(), exec(), engine.uids()]);
      return settled.map((each) => (each.status === 'rejected' ? String(each.reason) : 'answered'));
    };
    const hangs = expect.stringMatching(/^EngineUnavailable: .*hangs: it has not answered a ping for 2 s$/);
    expect(engine.trouble).toBeUndefined();
    bench.cluster.fail({ times: Number.POSITIVE_INFINITY, hangs: true });
    expect(await reasons()).toEqual([hangs, hangs, hangs]);
    expect(engine.trouble).toMatch(/hangs/);
    const asked = bench.cluster.requests.length;
    expect(await reasons()).toEqual([hangs, hangs, hangs]);
    // The engine's own watch streams keep sending requests.
    const others = bench.cluster.requests.slice(asked).filter((each) => !/^GET .*\/(version|pods|events)$/.test(each));
    expect(others).toEqual([]);
    bench.cluster.mend();
    await expect.poll(() => engine.trouble, { timeout: 120_000 }).toBeUndefined();
    await group.running();
    expect(group.container('web')).toMatchObject({ run: 1, restartCount: 0 });
  });

  it('is not taken for one that hangs while it only is slow with a call', async () => {
    const engine = await bench.engine('jar-one', 'jar', 10, 2);
    const group = new Group(engine, fullPlan());
    await group.running();
    bench.cluster.fail({ times: 1, delayMs: 5000, match: (method) => method === 'GET' });
    await group.sync();
    expect(engine.trouble).toBeUndefined();
  });

  it('says so too when the jar lacks a right', async () => {
    const group = new Group(await bench.engine(), fullPlan());
    bench.cluster.fail({ times: 1, status: 403, match: (_method, path) => path.endsWith('/secrets') });
    await expect(group.sync()).rejects.toThrow(EngineUnavailable);
  });

  it('says so too when the namespace is not there', async () => {
    const group = new Group(await bench.engine(), groupPlan());
    bench.cluster.fail({ times: 1, status: 404, match: creates('pods') });
    await expect(group.sync()).rejects.toThrow(EngineUnavailable);
  });

  for (const what of ['secrets', 'services', 'pods']) {
    it(`gets one of each when the jar goes down before the creation of ${what}`, async () => {
      const plan = fullPlan();
      bench.cluster.fail({ times: 1, match: creates(what) });
      await expect(new Group(await bench.engine(), plan).sync()).rejects.toThrow(EngineUnavailable);
      const group = new Group(await bench.engine(), plan);
      await group.running();
      expect(
        everything()
          .map(({ kind }) => kind)
          .sort(),
      ).toEqual(['Pod', 'Secret', 'Service']);
    });

    it(`gets one of each when the jar goes down before it hears that ${what} were created`, async () => {
      const plan = fullPlan();
      bench.cluster.fail({ times: 1, afterwards: true, match: creates(what) });
      await expect(new Group(await bench.engine(), plan).sync()).rejects.toThrow(EngineUnavailable);
      const group = new Group(await bench.engine(), plan);
      await group.running();
      expect(
        everything()
          .map(({ kind }) => kind)
          .sort(),
      ).toEqual(['Pod', 'Secret', 'Service']);
      const [pod] = bench.cluster.pods();
      await group.sync();
      for (const each of [...bench.cluster.secrets(), ...bench.cluster.services()]) {
        expect(each.metadata.ownerReferences).toMatchObject([{ uid: pod?.metadata.uid }]);
      }
      expect(group.container('web')).toMatchObject({ run: 1, restartCount: 0 });
    });

    it(`is left with nothing when a group is removed that got no further than ${what}`, async () => {
      const plan = fullPlan();
      bench.cluster.fail({ times: 1, match: creates(what) });
      await expect(new Group(await bench.engine(), plan).sync()).rejects.toThrow(EngineUnavailable);
      const engine = await bench.engine();
      expect(await engine.uids()).toEqual(everything().length > 0 ? [plan.uid] : []);
      await engine.remove(plan.uid);
      expect(everything()).toEqual([]);
    });

    it(`is left with nothing by a removal that fails half-way, at ${what}`, async () => {
      const engine = await bench.engine();
      const group = new Group(engine, fullPlan());
      await group.running();
      bench.cluster.fail({
        times: 1,
        status: 500,
        match: (method, path) => method === 'DELETE' && path.includes(what),
      });
      await expect(engine.remove(group.plan.uid)).rejects.toThrow(EngineUnavailable);
      await engine.remove(group.plan.uid);
      expect(everything()).toEqual([]);
      expect(await engine.uids()).toEqual([]);
    });
  }

  it('gets the secrets of a group again that somebody has deleted', async () => {
    const group = new Group(await bench.engine(), fullPlan());
    await group.running();
    const [secret] = bench.cluster.secrets();
    bench.cluster.store.remove('secrets', NAMESPACE, secret!.metadata.name);
    await group.sync();
    const [pod] = bench.cluster.pods();
    expect(bench.cluster.secrets()).toMatchObject([
      { metadata: { name: secret?.metadata.name, ownerReferences: [{ uid: pod?.metadata.uid }] } },
    ]);
  });

  it('continues to report a group when a part of it is rejected', async () => {
    const group = new Group(await bench.engine(), fullPlan());
    await group.running();
    const [service] = bench.cluster.services();
    bench.cluster.store.remove('services', NAMESPACE, service!.metadata.name);
    bench.cluster.fail({ times: 1, status: 403, match: creates('services') });
    await group.sync();
    expect(group.status.events).toMatchObject([{ name: 'Failed', type: 'Warning' }]);
    await group.until(({ status }) => status.ip !== undefined);
  });

  it('forgets the secrets of a deployment when the next one is there', async () => {
    const group = new Group(await bench.engine(), fullPlan());
    await group.running();
    group.restart();
    const [container] = containers;
    group.plan = { ...group.plan, containers: [{ ...container!, env: [{ name: 'PASSWORD', value: 'changed' }] }] };
    await group.running();
    await group.sync();
    const values = bench.cluster.secrets().map(({ data }) => Buffer.from(data.PASSWORD, 'base64').toString());
    expect(values).toEqual(['changed']);
  });
});

describe('several at work', () => {
  it('makes one Pod of a group that two nodes of a jar bring up at once', async () => {
    const plan = fullPlan();
    const nodes = await Promise.all([bench.engine(), bench.engine()]);
    const groups = nodes.map((engine) => new Group(engine, plan));
    await Promise.all(groups.map((group) => group.running()));
    expect(
      everything()
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(['Pod', 'Secret', 'Service']);
    expect(groups.map((group) => group.container('web').run)).toEqual([1, 1]);
  });

  it('keeps two jars in one namespace apart', async () => {
    const [mine, others] = [await bench.engine('jar-one'), await bench.engine('jar-two')];
    const [a, b] = [new Group(mine, fullPlan()), new Group(others, fullPlan())];
    await Promise.all([a.running(), b.running()]);
    expect(await mine.uids()).toEqual([a.plan.uid]);
    expect(await others.uids()).toEqual([b.plan.uid]);
    await mine.remove(b.plan.uid);
    await others.remove(a.plan.uid);
    await Promise.all([a.running(), b.running()]);
    await mine.remove(a.plan.uid);
    expect(await mine.uids()).toEqual([]);
    await b.running();
    expect(b.container('web').run).toBe(1);
    expect(bench.cluster.pods()).toHaveLength(1);
  });

  it('leaves a Pod of the same name alone that is of another jar', async () => {
    const plan = groupPlan();
    const others = new Group(await bench.engine('jar-two'), plan);
    await others.running();
    const [before] = bench.cluster.pods();
    await expect(new Group(await bench.engine('jar-one'), plan).sync()).rejects.toThrow(/belongs to another owner/);
    expect(bench.cluster.pods()).toEqual([before]);
  });

  it('leaves a Pod alone that has taken the place of its own, and a copy that somebody has made of it', async () => {
    const { store } = bench.cluster;
    const group = new Group(await bench.engine(), groupPlan());
    await group.running();
    const name = `cj-${group.plan.uid}`;
    const pod = store.get('pods', NAMESPACE, name);
    store.create('pods', NAMESPACE, { ...pod, metadata: { ...pod.metadata, name: 'a-copy' }, status: {} });
    await group.sync();
    expect(group.container('web')).toMatchObject({ run: 1, current: { kind: 'Running' } });
    const match = (method: string): boolean => {
      if (method !== 'DELETE') return false;
      store.remove('pods', NAMESPACE, name);
      store.create('pods', NAMESPACE, { ...pod, metadata: { ...pod.metadata, labels: {} } });
      return true;
    };
    bench.cluster.fail({ times: 1, delayMs: 1, match });
    group.wanted = 'Stopped';
    await group.sync();
    const left = bench.cluster.pods().map(({ metadata }) => [metadata.name, metadata.deletionTimestamp]);
    expect(left).toEqual([
      ['a-copy', undefined],
      [name, undefined],
    ]);
  });

  it('finds all groups, however many pages they take', async () => {
    const engine = await bench.engine();
    const groups = Array.from({ length: 5 }, () => new Group(engine, groupPlan()));
    await Promise.all(groups.map((group) => group.running()));
    bench.cluster.longestPage = 2;
    expect((await engine.uids()).sort()).toEqual(groups.map(({ plan }) => plan.uid).sort());
    bench.cluster.longestPage = 500;
  });

  it('takes everything along when a jar in memory closes', async () => {
    const engine = await bench.engine('jar-one', 'process');
    const other = new Group(await bench.engine('jar-two'), fullPlan());
    const group = new Group(engine, fullPlan());
    await Promise.all([group.running(), other.running()]);
    await engine.close();
    bench.cluster.release();
    expect(everything().map(({ metadata }) => metadata.labels?.['cloudjar.dev/jar'])).toEqual([
      'jar-two',
      'jar-two',
      'jar-two',
    ]);
  });
});
