import { beforeEach, expect, it } from 'vitest';
import { limitOverrides } from '../../src/kernel/limits/overrides.ts';
import { scopeKey } from '../../src/kernel/limits/scope.ts';
import { SERVICES } from '../../src/services.ts';
import { startJar } from '../../src/testing/index.ts';
import { JarProbe } from '../support/jar-probe.ts';
import { onBothStores, SUBSCRIPTION } from '../support/jars.ts';
import { usePostgresDatabase } from '../support/use-postgres.ts';
import { wholeService } from '../support/whole-service.ts';

const V = 'api-version=2025-04-01';
const GROUPS = `/subscriptions/${SUBSCRIPTION}/resourceGroups`;
const LOADED = 9_000;

const probe = new JarProbe();

/** Writes the overrides as `PATCH /_jar/limits` stores them, in one transaction. */
async function loadOverrides(changes: readonly { name: string; scope: { principal: string }; size: number }[]) {
  const documents = changes.map(
    (each) => [`${each.name}?${scopeKey(Object.entries(each.scope).flat()).toLowerCase()}`, each] as const,
  );
  await probe.jar.store.transact((tx) => tx.putAll(limitOverrides, documents));
}

onBothStores(
  'limits',
  (bench) => {
    const control = (method: string, path: string, body?: unknown) =>
      bench.call(method, `/_jar/${path}`, { token: bench.jar.adminKey, body });
    const patch = (body: unknown) => control('PATCH', 'limits', body);
    const one = async (name: string) => (await control('GET', `limits?name=${name}`)).body.value[0];
    beforeEach(() => bench.jar.reset());

    it('lists every limit with its declared values, its effective values and its use', async () => {
      await bench.call('GET', `${GROUPS}?${V}`);
      await bench.call('PUT', `${GROUPS}/a?${V}`, { body: { location: 'eastus' } });
      const { status, body } = await control('GET', 'limits?service=resources');
      expect(status).toBe(200);
      const names: string[] = body.value.map((each: { name: string }) => each.name);
      expect(names).toContain('management.global-deletes');
      expect(names).toEqual([...names].sort());
      expect(await one('management.reads')).toMatchObject({
        service: 'resources',
        kind: 'bucket',
        scope: ['subscription', 'principal'],
        unit: 'requests',
        incidental: true,
        table: { size: 250, refillPerSecond: 25 },
        inForce: { size: 250, refillPerSecond: 25, mode: 'enforced' },
        overrides: [],
        use: [{ scope: { subscription: SUBSCRIPTION }, maximum: 250, mode: 'enforced' }],
      });
      expect(await one('management.resource-groups')).toMatchObject({
        kind: 'quota',
        fixed: true,
        use: [{ scope: { subscription: SUBSCRIPTION }, used: 1, remaining: 979, maximum: 980 }],
      });
    });

    it('lists the limits under pressure first, those with overrides, and those whose clients retried early', async () => {
      await bench.call('PUT', `${GROUPS}/a?${V}`, { body: { location: 'eastus' } });
      await patch({ name: 'management.resource-groups', limit: 2 });
      await patch({ name: 'management.reads', size: 1, refillPerSecond: 0.1, mode: 'enforced' });
      for (const _ of [1, 2, 3]) await bench.call('GET', `${GROUPS}?${V}`);
      const { body } = await control('GET', 'limits?$orderby=pressure desc&$top=2');
      expect(body.value).toMatchObject([
        { name: 'management.reads', pressure: 1, changed: true, earlyClients: 1 },
        { name: 'management.resource-groups', pressure: 0.5, changed: true, earlyClients: 0 },
      ]);
      const names = async (filter: string) =>
        (await control('GET', `limits?$filter=${filter}`)).body.value.map(({ name }: { name: string }) => name);
      expect(await names('changed')).toEqual(['management.reads', 'management.resource-groups']);
      expect(await names('earlyClients gt 0')).toEqual(['management.reads']);
      expect(await names('pressure ge 0.5')).toEqual(['management.reads', 'management.resource-groups']);
      expect(await one('management.locks')).toMatchObject({ pressure: 0, changed: false });
    });

    it('finds the scope of a change in any case, and is one change however it is written', async () => {
      const scope = (subscription: string) => ({ subscription });
      await patch({ name: 'management.resource-groups', scope: scope(SUBSCRIPTION.toUpperCase()), limit: 0 });
      const create = () => bench.call('PUT', `${GROUPS}/any?${V}`, { body: { location: 'eastus' } });
      expect((await create()).status).toBe(409);
      await patch({ name: 'management.resource-groups', scope: scope(SUBSCRIPTION.toLowerCase()), limit: null });
      expect((await create()).status).toBe(201);
      expect(await one('management.resource-groups')).toMatchObject({ overrides: [] });
    });

    it('lowers, raises and suspends a limit from the next decision on, and null puts it back', async () => {
      const create = (name: string) => bench.call('PUT', `${GROUPS}/${name}?${V}`, { body: { location: 'eastus' } });
      expect((await create('a')).status).toBe(201);
      expect((await create('b')).status).toBe(201);
      expect((await patch({ name: 'management.resource-groups', limit: 1 })).status).toBe(200);
      const refused = await create('c');
      expect(refused).toMatchObject({ status: 409, body: { error: { code: 'ResourceGroupQuotaExceeded' } } });
      expect(refused.body.error.message).toContain("quota of '1'. The current resource group count is '2'");
      // Existing groups stay and can be changed.
      expect((await create('a')).status).toBe(200);
      await patch({ name: 'management.resource-groups', scope: { subscription: SUBSCRIPTION }, mode: 'shadow' });
      expect((await create('c')).status).toBe(201);
      expect(await one('management.resource-groups')).toMatchObject({
        refusals: 1,
        shadowRefusals: 1,
        inForce: { limit: 1, mode: 'enforced' },
        overrides: [{ limit: 1 }, { scope: { subscription: SUBSCRIPTION }, mode: 'shadow' }],
        use: [{ used: 3, remaining: 0, maximum: 1, mode: 'shadow' }],
      });
      await patch([
        { name: 'management.resource-groups', limit: null },
        { name: 'management.resource-groups', scope: { subscription: SUBSCRIPTION }, mode: null },
      ]);
      expect(await one('management.resource-groups')).toMatchObject({
        inForce: { limit: 980, mode: 'enforced' },
        overrides: [],
      });
    });

    it('a later change of a list sees what an earlier one has made of the same override', async () => {
      const scope = { subscription: SUBSCRIPTION };
      const name = 'management.resource-groups';
      await patch([
        { name, limit: 7 },
        { name, scope, limit: 1 },
        { name, mode: 'shadow' },
        { name, scope, limit: null },
      ]);
      expect((await one(name)).overrides).toEqual([{ limit: 7, mode: 'shadow' }]);
      // The same with an existing override.
      await patch([
        { name, limit: null },
        { name, scope, mode: 'shadow' },
        { name, mode: null },
        { name, scope, limit: 3 },
      ]);
      expect((await one(name)).overrides).toEqual([{ scope, mode: 'shadow', limit: 3 }]);
    });

    it('a limit can be lowered for one caller and left as it is for others', async () => {
      const token = await bench.jar.token({ user: 'app' });
      await bench.call('GET', `${GROUPS}?${V}`, { token });
      const { use } = await one('management.reads');
      const [{ scope }] = use;
      await patch({ name: 'management.reads', scope, size: 1, refillPerSecond: 0 });
      expect((await bench.call('GET', `${GROUPS}?${V}`, { token })).status).toBe(200);
      expect((await bench.call('GET', `${GROUPS}?${V}`, { token })).status).toBe(429);
      expect((await bench.call('GET', `${GROUPS}?${V}`)).status).toBe(200);
      const filtered = await control('GET', `limits?name=management.reads&scope=principal=${scope.principal}`);
      expect(filtered.body.value[0].use).toEqual([{ scope, used: 1, remaining: 0, maximum: 1, mode: 'enforced' }]);
      await patch({ name: 'management.reads', scope, mode: 'unlimited' });
      expect((await bench.call('GET', `${GROUPS}?${V}`, { token })).status).toBe(200);
    });

    it.each([
      [{ name: 'management.read', size: 1 }, 404, 'UnknownLimit', 'name', "did you mean 'management.reads'?"],
      [{ name: '__proto__', size: 1 }, 404, 'UnknownLimit', 'name', 'GET /_jar/limits'],
      [{ name: 'management.reads', size: -1 }, 400, 'InvalidBody', 'size', 'must be'],
      [{ name: 'management.reads', size: 'many' }, 400, 'InvalidBody', 'size', 'must be'],
      [{ name: 'management.reads', limit: 5 }, 400, 'InvalidLimitChange', 'limit', 'bucket, which has size, refill'],
      [{ name: 'management.resource-groups', windowMs: 5 }, 400, 'InvalidLimitChange', 'windowMs', 'a quota'],
      [{ name: 'management.resource-groups', limit: 1.5 }, 400, 'InvalidBody', 'limit', 'must be'],
      [{ name: 'management.reads', mode: 'off' }, 400, 'InvalidBody', 'mode', 'must'],
      [{ name: 'management.reads' }, 400, 'InvalidLimitChange', undefined, 'has no values'],
      [{ name: 'management.reads', siez: 1 }, 400, 'InvalidBody', 'siez', 'not known'],
      [{ size: 1 }, 400, 'InvalidBody', 'name', 'required'],
      [
        { name: 'management.reads', scope: { tenant: 'x' }, size: 1 },
        400,
        'UnknownScope',
        'scope',
        'subscription, principal',
      ],
      [
        [
          { name: 'management.reads', size: 1 },
          { name: 'nope', size: 1 },
        ],
        404,
        'UnknownLimit',
        '1.name',
        "'nope'",
      ],
      [[], 400, 'InvalidLimitChange', undefined, '1 to 1000'],
      [[{ name: 'management.reads', size: -1 }], 400, 'InvalidLimitChange', '0.size', "'0.size' must be"],
      [[{ name: 'management.reads', size: 1 }, 7], 400, 'InvalidLimitChange', '1', "'1' must be object"],
      ['text', 400, 'InvalidBody', undefined, ''],
      [null, 400, 'InvalidBody', undefined, ''],
    ])('refuses the change %j with its reason, and changes nothing', async (body, status, code, target, reason) => {
      const answer = await patch(JSON.stringify(body));
      expect(answer).toMatchObject({ status, body: { error: { code } } });
      expect(answer.body.error.target).toBe(target);
      expect(answer.body.error.message).toContain(reason);
      const all = await control('GET', 'limits');
      expect(all.body.value.flatMap((each: { overrides: unknown[] }) => each.overrides)).toEqual([]);
    });

    it('pages and filters the list, and names what it does not understand', async () => {
      const seen: string[] = [];
      let next = '/_jar/limits?$top=3&name=management.*&use=0';
      for (let pages = 0; next !== undefined && pages < 20; pages++) {
        const page = await bench.call('GET', next, { token: bench.jar.adminKey });
        expect(page.body.value.length).toBeLessThanOrEqual(3);
        seen.push(...page.body.value.map((each: { name: string }) => each.name));
        next = page.body.nextLink;
      }
      expect(seen.length).toBe(14);
      expect(new Set(seen).size).toBe(14);
      expect((await control('GET', 'limits?name=nope')).body.error.code).toBe('UnknownLimit');
      expect((await control('GET', 'limits?scope=x')).body.error).toMatchObject({ code: 'InvalidScopeFilter' });
      expect((await control('GET', 'limits?$top=0')).body.error).toMatchObject({ target: '$top' });
      expect((await control('GET', 'limits?name=management.*&scope=tenant=t')).body.value).toHaveLength(3);
    });

    it('counts and names a client that comes back before its Retry-After', async () => {
      await patch({ name: 'management.deletes', size: 1, refillPerSecond: 0.1 });
      const remove = () => bench.call('DELETE', `${GROUPS}/none?${V}`);
      expect((await remove()).status).toBe(404);
      const refused = await remove();
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('10');
      expect((await one('management.deletes')).earlyRetries).toEqual([]);
      await bench.jar.clock.advance('4s');
      expect((await remove()).status).toBe(429);
      const { earlyRetries } = await one('management.deletes');
      expect(earlyRetries).toMatchObject([{ name: 'admin@vendor.example', times: 1 }]);
      expect(earlyRetries[0].earliestBySeconds).toBeGreaterThan(5);
      expect(earlyRetries[0].earliestBySeconds).toBeLessThanOrEqual(6);
      await bench.jar.clock.advance('10s');
      expect((await remove()).status).toBe(404);
      expect((await one('management.deletes')).earlyRetries).toMatchObject([{ times: 1 }]);
      const metrics = await control('GET', 'metrics');
      expect(metrics.text).toMatch(/cloudjar_limit_early_retries_total\{limit="management.deletes"\} [1-9]/);
      expect(metrics.text).toMatch(
        /cloudjar_limit_decisions_total\{limit="management.deletes",outcome="refused"\} [1-9]/,
      );
    });

    it('refuses more overrides than there can be, and lets those that there are be changed and removed', async () => {
      const overrides = <Size extends number | null>(from: number, count: number, size: Size) =>
        Array.from({ length: count }, (_, i) => ({
          name: 'management.reads',
          scope: { principal: `p${from + i}` },
          size,
        }));
      // Each answer lists every override of the limit, so ten changes of a thousand would cost more than all other tests here together.
      await loadOverrides(overrides(0, LOADED, 5));
      expect((await patch(overrides(LOADED, 1000, 5))).status).toBe(200);
      expect((await one('management.reads')).overrides).toHaveLength(10_000);
      expect((await patch(overrides(9_999, 2, 6))).body.error).toMatchObject({ code: 'TooManyOverrides' });
      expect((await patch(overrides(0, 1000, 6))).status).toBe(200);
      expect((await patch(overrides(0, 3, null))).status).toBe(200);
      expect((await patch(overrides(9_999, 4, 7))).status).toBe(200);
      const { overrides: kept } = await one('management.reads');
      expect(kept).toHaveLength(10_000);
    });

    it('a reset returns to the tables', async () => {
      await patch({ name: 'management.reads', mode: 'shadow' });
      await bench.jar.reset();
      expect(await one('management.reads')).toMatchObject({ overrides: [], inForce: { mode: 'enforced' } });
    });
  },
  { clock: 'shifted', services: [...SERVICES, probe.service] },
);

it('what was changed holds on every node, and after a restart', async ({ skip }) => {
  const databaseUrl = await usePostgresDatabase({ skip }, 'limits');
  const secretKey = 'A'.repeat(43);
  const open = () => startJar({ databaseUrl, secretKey, clock: 'shifted' });
  const [first, second] = [await open(), await open()];
  const read = async ({ url, adminKey }: typeof first) => {
    const answer = await fetch(`${url}/_jar/limits?name=management.reads&use=0`, {
      headers: { authorization: `Bearer ${adminKey}` },
    });
    return ((await answer.json()) as { value: { inForce: { size: number } }[] }).value[0]?.inForce.size;
  };
  await fetch(`${first.url}/_jar/limits`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${first.adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'management.reads', size: 7 }),
  });
  expect(await read(first)).toBe(7);
  await expect.poll(() => read(second)).toBe(7);
  await Promise.all([first.close(), second.close()]);
  const again = await open();
  expect(await read(again)).toBe(7);
  await again.close();
});

it('on a clock that stands still an incidental throttle counts without refusing', async () => {
  const jar = await startJar();
  const headers = { authorization: `Bearer ${jar.adminKey}` };
  const answer = await fetch(`${jar.url}/_jar/limits?name=management.*&use=0`, { headers });
  const { value } = (await answer.json()) as { value: { name: string; inForce: { mode: string } }[] };
  const modes = Object.fromEntries(value.map(({ name, inForce }) => [name, inForce.mode]));
  expect(modes).toMatchObject({ 'management.reads': 'shadow', 'management.resource-groups': 'enforced' });
  await jar.close();
});

it('a name that two services declare keeps the jar from starting', async () => {
  const { family } = SERVICES[0]!;
  const copy = wholeService({ name: 'copy', title: 'Copy', family, mounts: [], routes: [] });
  const limits = SERVICES.flatMap((service) => service.limits ?? []).slice(0, 1);
  await expect(startJar({ services: [...SERVICES, { ...copy, limits }] })).rejects.toThrow('declared already');
});
