import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { startJar } from '../../../src/testing/index.ts';
import { SUBSCRIPTION } from '../../support/jars.ts';
import { container, groupBody, groupPath } from './small-groups.ts';

const sh = (script: string) => ({ command: ['/bin/sh', '-c', script] });
const liveness = (probe: object) => ({ livenessProbe: { periodSeconds: 7, ...probe } });

const CONTAINERS = {
  crashes: container('main', 'simulated/crash:7s'),
  recovers: container('main', 'simulated/flaky:3'),
  arrives: container('main', 'simulated/slow-pull:90s'),
  lacks: container('main', 'simulated/missing'),
  sickens: container('main', 'simulated/unhealthy:40s', liveness({ httpGet: { port: 80, path: '/' } })),
  forgets: container('main', 'busybox', {
    ...sh('touch /tmp/h; sleep 30; rm /tmp/h; sleep 600'),
    ...liveness({ exec: { command: ['cat', '/tmp/h'] } }),
  }),
  hurries: container('main', 'busybox', sh('echo "at $(date +%T)"; sleep 0.5; exit 3')),
};
const MINUTES = 20;

/** The status and output of all groups after the clock has made these steps. */
async function after(steps: readonly number[]): Promise<Record<string, unknown>> {
  const jar = await startJar({ clockStart: '2026-03-01T12:00:00Z' });
  onTestFinished(() => jar.close());
  const headers = { authorization: `Bearer ${await jar.token({ ttl: '1d' })}`, 'content-type': 'application/json' };
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(jar.url + path, { method, headers, body: body ? JSON.stringify(body) : null });
    return JSON.parse(await response.text());
  };
  const group = `/subscriptions/${SUBSCRIPTION}/resourcegroups/shop?api-version=2021-04-01`;
  await call('PUT', group, { location: 'eastus' });
  for (const [name, main] of Object.entries(CONTAINERS)) await call('PUT', groupPath(name), groupBody([main]));
  await jar.settled();
  for (const step of steps) await jar.clock.advance(step);
  await jar.settled();
  const seen: Record<string, unknown> = {};
  for (const name of Object.keys(CONTAINERS)) {
    const { properties } = await call('GET', groupPath(name));
    const { content } = await call('GET', groupPath(name, '/containers/main/logs'));
    seen[name] = [properties.instanceView, properties.containers[0].properties.instanceView, content];
  }
  return seen;
}

it('is the same whether the clock advances in one step or in many', async () => {
  const whole = await after([MINUTES * 60_000]);
  const cuts = fc.uniqueArray(fc.integer({ min: 1, max: MINUTES * 60_000 - 1 }), { minLength: 5, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(cuts, async (places) => {
      const times = [0, ...places.toSorted((a, b) => a - b), MINUTES * 60_000];
      expect(await after(times.slice(1).map((time, i) => time - (times[i] as number)))).toEqual(whole);
    }),
    { numRuns: 2 },
  );
});
