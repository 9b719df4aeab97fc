import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../../src/kernel/telemetry/metrics.ts';
import { standardMetrics } from '../../../src/kernel/telemetry/standard-metrics.ts';

describe('metrics', () => {
  it('are rendered in the text format of Prometheus', async () => {
    const metrics = createMetrics();
    const requests = metrics.counter({ name: 'requests_total', help: 'Requests.', labels: ['service', 'status'] });
    requests.with('mail', '200').inc();
    requests.with('mail', '200').inc(2);
    requests.with('mail', '404').inc();
    metrics.gauge({ name: 'depth', help: 'Depth\nof the \\ queue.' }).with().set(-1.5);
    const latency = metrics.histogram({
      name: 'latency_seconds',
      help: 'Latency.',
      labels: ['service'],
      buckets: [1, 0.1],
    });
    for (const value of [0.05, 0.1, 0.5, 3]) latency.with('mail').observe(value);
    metrics.collectedGauge({ name: 'memory_bytes', help: 'Memory.', collect: async () => 12 });

    expect(await metrics.render()).toBe(
      [
        '# HELP requests_total Requests.',
        '# TYPE requests_total counter',
        'requests_total{service="mail",status="200"} 3',
        'requests_total{service="mail",status="404"} 1',
        '# HELP depth Depth\\nof the \\\\ queue.',
        '# TYPE depth gauge',
        'depth -1.5',
        '# HELP latency_seconds Latency.',
        '# TYPE latency_seconds histogram',
        'latency_seconds_bucket{service="mail",le="0.1"} 2',
        'latency_seconds_bucket{service="mail",le="1"} 3',
        'latency_seconds_bucket{service="mail",le="+Inf"} 4',
        'latency_seconds_sum{service="mail"} 3.65',
        'latency_seconds_count{service="mail"} 4',
        '# HELP memory_bytes Memory.',
        '# TYPE memory_bytes gauge',
        'memory_bytes 12',
        '',
      ].join('\n'),
    );
  });

  it('without labels show as zero before anything happens', async () => {
    const metrics = createMetrics();
    metrics.counter({ name: 'events_total', help: 'Events.' });
    expect(await metrics.render()).toContain('\nevents_total 0\n');
  });

  it('resolve the same labels to the same series', () => {
    const counter = createMetrics().counter({ name: 'a_total', help: 'A.', labels: ['x', 'y'] });
    expect(counter.with('1', '2')).toBe(counter.with('1', '2'));
    expect(counter.with('1', '2')).not.toBe(counter.with('12', ''));
  });

  it('keep one line per series whatever the label values are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.string({ unit: 'binary', maxLength: 20 }), { maxLength: 20 }),
        async (values) => {
          const metrics = createMetrics();
          const counter = metrics.counter({ name: 'a_total', help: 'A.', labels: ['x'] });
          for (const value of values) counter.with(value).inc();
          const samples = (await metrics.render()).split('\n').filter((line) => line.startsWith('a_total'));
          expect(samples).toHaveLength(values.length);
          for (const line of samples) expect(line).toMatch(/^a_total\{x="(?:[^"\\]|\\[\\"n])*"\} 1$/su);
          const read = samples.map((line) =>
            line.slice(11, -4).replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character)),
          );
          expect(read).toEqual(values);
        },
      ),
    );
  });

  it('share one series beyond the maximum, so that memory is bounded', async () => {
    const metrics = createMetrics();
    const counter = metrics.counter({ name: 'a_total', help: 'A.', labels: ['x', 'y'], maxSeries: 3 });
    for (let index = 0; index < 1000; index++) counter.with(`v${index}`, 'x'.repeat(10_000)).inc();
    counter.with('v0', 'x'.repeat(10_000)).inc();
    const text = await metrics.render();
    expect(text.match(/^a_total\{/gm)).toHaveLength(4);
    expect(text).toContain('a_total{x="_overflow",y="_overflow"} 997\n');
    expect(text).toContain(`a_total{x="v0",y="${'x'.repeat(128)}"} 2\n`);
  });

  it('leave out a gauge whose source fails, and show all others', async () => {
    const metrics = createMetrics();
    metrics.collectedGauge({ name: 'broken', help: 'B.', collect: () => Promise.reject(new Error('away')) });
    metrics.collectedGauge({
      name: 'thrown',
      help: 'T.',
      collect: () => {
        throw new Error('away');
      },
    });
    metrics.collectedGauge({ name: 'sound', help: 'S.', collect: () => Number.NEGATIVE_INFINITY });
    expect(await metrics.render()).toBe('# HELP sound S.\n# TYPE sound gauge\nsound -Inf\n');
  });

  it('refuse what Prometheus would refuse', () => {
    const metrics = createMetrics();
    metrics.gauge({ name: 'a', help: '' });
    expect(() => metrics.counter({ name: 'a', help: '' })).toThrow('declared twice');
    expect(() => metrics.counter({ name: 'a-b', help: '' })).toThrow('not a metric name');
    expect(() => metrics.counter({ name: 'b', help: '', labels: ['__x'] })).toThrow('not a label name');
    expect(() => metrics.histogram({ name: 'c', help: '', labels: ['le'] })).toThrow('le is the label');
    expect(() => metrics.counter({ name: 'd', help: '' }).with().inc(-1)).toThrow('only grows');
    expect(() => metrics.counter({ name: 'e', help: '' }).with().inc(Number.NaN)).toThrow('only grows');
  });
});

describe('the standard metrics', () => {
  it('cover requests, due work, deliveries and the process', async () => {
    const metrics = createMetrics();
    const work = { waiting: () => 4, leased: async () => 3, parked: () => 2, oldestDueAgeSeconds: () => 1.5 };
    const standard = standardMetrics(metrics, { version: '1.2.3', work });
    const meter = standard.operation('resources', 'ResourceGroups_Get');
    meter.finished(200, 0.004);
    meter.finished(200, 0.004);
    meter.finished(404, 0.004);
    standard.workRun('resources.deleteGroup', 'done');
    standard.delivery('events', 'delivered');
    const text = await metrics.render();
    for (const line of [
      'cloudjar_requests_total{service="resources",operation="ResourceGroups_Get",status="200"} 2',
      'cloudjar_requests_total{service="resources",operation="ResourceGroups_Get",status="404"} 1',
      'cloudjar_request_duration_seconds_bucket{service="resources",operation="ResourceGroups_Get",le="0.005"} 3',
      'cloudjar_request_duration_seconds_count{service="resources",operation="ResourceGroups_Get"} 3',
      'cloudjar_work_runs_total{kind="resources.deleteGroup",outcome="done"} 1',
      'cloudjar_deliveries_total{service="events",outcome="delivered"} 1',
      'cloudjar_work_waiting 4',
      'cloudjar_work_leased 3',
      'cloudjar_work_parked 2',
      'cloudjar_work_oldest_due_age_seconds 1.5',
      `cloudjar_build_info{version="1.2.3",node="${process.version}"} 1`,
    ]) {
      expect(text).toContain(`\n${line}\n`);
    }
    const number = (name: string) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
    expect(number('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
    expect(Math.abs(number('process_start_time_seconds') - Date.now() / 1000)).toBeLessThan(86_400);
  });
});
