import { Type } from 'typebox';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { MANAGEMENT } from '../../../src/kernel/arm/family.ts';
import { type ResourceDefinition, resourceRoutes } from '../../../src/kernel/arm/resource-routes.ts';
import { type AnyArmCode, armCode, lazyArmRoute } from '../../../src/kernel/arm/route.ts';
import { type AnyRouteCode, lazyRoute, loaded, ok, routeCode } from '../../../src/kernel/http/route.ts';
import { lazyWork, wholeService } from '../../../src/kernel/whole-service.ts';
import { IDENTITY } from '../../../src/services/identity/index.ts';
import { RESOURCES } from '../../../src/services/resources/index.ts';
import { startJar } from '../../../src/testing/index.ts';
import { WIDGET_PARTS } from '../../services/resources/widgets.ts';
import { SUBSCRIPTION, withJar } from '../../support/jars.ts';

const HEAD = { method: 'GET', path: '/lazy/{name}', operation: 'Lazy_Get', summary: 'Gets' } as const;

describe('a route whose code comes with its first call', () => {
  it('is loaded once, however many ask for it at once', async () => {
    let loads = 0;
    const gate = Promise.withResolvers<AnyRouteCode>();
    const route = lazyRoute(HEAD, () => {
      loads += 1;
      return gate.promise;
    });
    const both = Promise.all([loaded(route), loaded(route)]);
    gate.resolve(routeCode([], { handle: () => ok('done') }));
    const [first, second] = await both;
    expect(first).toBe(second);
    expect(loaded(route)).toBe(first);
    expect(loads).toBe(1);
    expect(first).toMatchObject(HEAD);
    expect(loaded(first)).toBe(first);
  });

  it('is loaded again after a load that failed, whether it threw or rejected', async () => {
    const loads = [
      () => Promise.reject(new Error('no such module')),
      () => {
        throw new Error('no such thing');
      },
      async () => routeCode([], { handle: () => ok('done') }),
    ];
    const route = lazyRoute(HEAD, () => loads.shift()!());
    await expect(loaded(route)).rejects.toThrow('no such module');
    await expect(loaded(route)).rejects.toThrow('no such thing');
    expect((await loaded(route)).handle).toBeTypeOf('function');
  });

  it('can be handled before it is loaded', async () => {
    const route = lazyRoute(HEAD, async () => routeCode(['name'], { handle: (call) => ok(call.params.name) }));
    expect(await route.handle({ params: { name: 'a' } } as never)).toMatchObject({ status: 200, body: 'a' });
  });

  it('gives what is complete already as it is', () => {
    const route = { ...HEAD, handle: () => ok(1) };
    expect(loaded(route)).toBe(route);
  });
});

let loads = 0;
let trouble: Error | undefined;
const code: Record<string, AnyArmCode> = {
  thing: armCode(['subscriptionId', 'name'], {
    query: Type.Object({ 'api-version': Type.String(), size: Type.Optional(Type.Integer({ minimum: 1 })) }),
    responses: { 200: Type.Object({ name: Type.String(), size: Type.Integer(), version: Type.String() }) },
    handle: (call, arm) => ok({ name: call.params.name, size: call.query.size ?? 0, version: arm.apiVersion }),
  }),
  add: armCode(['name'], {
    body: Type.Object({ text: Type.String() }),
    handle: (call) => ok({ text: call.body.text }),
  }),
};
const load = (name: string) => async (): Promise<AnyArmCode> => {
  loads += 1;
  if (trouble) throw trouble;
  return code[name]!;
};
const at = {
  path: '/subscriptions/{subscriptionId}/lazy/{name}',
  action: 'Vendor.Lazy/things/read',
  summary: 'A thing',
};
const PARTS: ResourceDefinition = {
  type: 'Vendor.Lazy/parts',
  apiVersions: ['2030-01-01'],
  locations: ['eastus'],
  tracked: true,
  operations: 'Parts',
  namePattern: /^[a-z]{1,20}$/i,
  body: Type.Object({ properties: Type.Object({ size: Type.Integer() }) }),
  write: ({ body }) => ({ properties: { ...(body.properties as { size: number }) }, extra: {} }),
};
const LAZY = wholeService({
  ...WIDGET_PARTS,
  name: 'lazy',
  family: MANAGEMENT,
  resourceTypes: [PARTS],
  routes: [
    lazyArmRoute({ ...at, method: 'GET', operation: 'Lazy_Get' }, load('thing')),
    lazyArmRoute({ ...at, method: 'POST', operation: 'Lazy_Add' }, load('add')),
    ...resourceRoutes(PARTS, async () => {
      if (trouble) throw trouble;
      return PARTS;
    }),
  ],
  control: [
    lazyRoute({ method: 'GET', path: '/_jar/lazy/count', operation: 'Lazy_Count', summary: 'How many' }, async () =>
      routeCode([], { responses: { 200: Type.Object({ count: Type.Integer() }) }, handle: () => ok({ count: 7 }) }),
    ),
  ],
});
const THING = `/subscriptions/${SUBSCRIPTION}/lazy/a?api-version=2022-12-01`;

describe('in a jar', () => {
  withJar(
    (bench) => {
      beforeEach(() => {
        trouble = undefined;
      });

      it('is not loaded for those who are refused before', async () => {
        const before = loads;
        expect((await bench.call('GET', THING, { token: null })).status).toBe(401);
        expect((await bench.call('GET', THING.replace('2022-12-01', 'x'))).status).toBe(400);
        expect((await bench.call('PUT', THING, { body: {} })).status).toBe(405);
        expect(loads).toBe(before);
      });

      it('is an error of the family while it cannot be loaded, and works afterwards', async () => {
        trouble = new Error('the disk is gone');
        const refused = await bench.call('GET', THING);
        expect(refused.status).toBe(500);
        expect(refused.body.error.code).toBe('InternalServerError');
        expect(refused.text).not.toContain('the disk is gone');
        trouble = undefined;
        expect((await bench.call('GET', THING)).status).toBe(200);
      });

      it('has its parameters, its query and its facts', async () => {
        const [one, two] = await Promise.all([bench.call('GET', THING), bench.call('GET', `${THING}&size=4`)]);
        expect(one.body).toEqual({ name: 'a', size: 0, version: '2022-12-01' });
        expect(two.body).toEqual({ name: 'a', size: 4, version: '2022-12-01' });
        expect((await bench.call('GET', `${THING}&size=none`)).status).toBe(400);
      });

      it('has its body checked by the schema that came with its code', async () => {
        expect((await bench.call('POST', THING, { body: { text: 'yes' } })).body).toEqual({ text: 'yes' });
        expect((await bench.call('POST', THING, { body: { text: 1 } })).status).toBe(400);
        expect((await bench.call('POST', THING, { body: '{' })).status).toBe(400);
        expect((await bench.call('POST', THING)).status).toBe(400);
      });

      it('answers HEAD and a wish to upgrade like any other', async () => {
        const head = await bench.call('HEAD', THING);
        expect([head.status, head.text]).toEqual([(await bench.call('HEAD', '/_jar/health')).status, '']);
        const headers = { 'sec-websocket-version': '13', 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' };
        expect((await bench.call('GET', THING, { headers })).status).toBe(200);
      });

      it('is struck by fault rules', async () => {
        const fault = await bench.jar.faults.add({ match: { path: '*/lazy/*' }, effect: { status: 418 } });
        expect((await bench.call('GET', THING)).status).toBe(418);
        await bench.jar.faults.remove(fault.id);
        expect((await bench.call('GET', THING)).status).toBe(200);
      });

      it('of a resource type comes with the type', async () => {
        const group = `/subscriptions/${SUBSCRIPTION}/resourceGroups/lazy`;
        await bench.call('PUT', `${group}?api-version=2021-04-01`, { body: { location: 'eastus' } });
        const part = `${group}/providers/Vendor.Lazy/parts/one?api-version=2030-01-01`;
        trouble = new Error('the disk is gone');
        expect((await bench.call('GET', part)).status).toBe(500);
        trouble = undefined;
        expect((await bench.call('GET', part)).status).toBe(404);
        const made = await bench.call('PUT', part, { body: { location: 'eastus', properties: { size: 2 } } });
        expect([made.status, made.body.properties.size]).toEqual([201, 2]);
      });

      it('is in the OpenAPI document with its schemas', async () => {
        const { body } = await bench.call('GET', '/_jar/openapi.json', { token: bench.jar.adminKey });
        const path = body.paths['/subscriptions/{subscriptionId}/lazy/{name}'];
        expect(path.get.parameters).toContainEqual(expect.objectContaining({ name: 'size', in: 'query' }));
        expect(path.get.responses['200'].content['application/json'].schema).toBeDefined();
        expect(path.post.requestBody.required).toBe(true);
      });

      it("of a service's control needs the administrator's key", async () => {
        expect((await bench.call('GET', '/_jar/lazy/count', { token: null })).status).toBe(401);
        const reply = await bench.call('GET', '/_jar/lazy/count', { token: bench.jar.adminKey });
        expect([reply.status, reply.body]).toEqual([200, { count: 7 }]);
      });
    },
    { services: [RESOURCES, IDENTITY, LAZY] },
  );
});

test("a service's control routes are below its own name", async () => {
  const control = [
    lazyRoute({ ...HEAD, path: '/_jar/other/count' }, async () => routeCode([], { handle: () => ok(1) })),
  ];
  const wrong = wholeService({ ...WIDGET_PARTS, name: 'lazy', control, eager: true });
  await expect(startJar({ services: [wrong] })).rejects.toThrow('begin with /_jar/lazy/');
});

test('lazy work loads its module with an item, has the limits that it declares, and fails with a load that fails', async () => {
  const ran: string[] = [];
  let fails = true;
  const handler = lazyWork(
    async () => {
      if (fails) throw new Error('no such module');
      return { run: async (item) => void ran.push(item.id) };
    },
    { concurrency: 3 },
  );
  expect(handler.concurrency).toBe(3);
  const item = { id: 'a' } as never;
  const { signal } = new AbortController();
  await expect(handler.run(item, {} as never, signal)).rejects.toThrow('no such module');
  fails = false;
  await handler.run(item, {} as never, signal);
  expect(ran).toEqual(['a']);
});
