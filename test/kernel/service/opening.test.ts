import { Type } from 'typebox';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { MANAGEMENT } from '../../../src/kernel/arm/family.ts';
import { ok, type Route, routesFor } from '../../../src/kernel/http/route.ts';
import type { Jar } from '../../../src/kernel/service/jar.ts';
import { armRoute, socketRoute } from '../../../src/kernel/service/routes.ts';
import type { OpenService, Service } from '../../../src/kernel/service/service.ts';
import { collection } from '../../../src/kernel/store/collection.ts';
import { defineWork, workHandler } from '../../../src/kernel/work/kind.ts';
import { IDENTITY } from '../../../src/services/identity/index.ts';
import { RESOURCES } from '../../../src/services/resources/index.ts';
import { SERVICES } from '../../../src/services.ts';
import { type StartJarOptions, startJar, type TestJar } from '../../../src/testing/index.ts';
import { SUBSCRIPTION } from '../../support/jars.ts';

/** A service that counts how often it is opened, and has a number in memory. */
interface CountingJar extends Jar {
  readonly memory: { seen: number };
}

const { route } = routesFor<CountingJar>();
const notes = collection<{ readonly text: string }>('counting.notes');
const NOTE = defineWork<{ readonly text: string }>('counting.note');

const socket = { path: '/counting/socket', operation: 'Counting_Socket', summary: 'Says how often it was seen' };

interface Counting {
  readonly service: Service;
  opened: number;
  closed: number;
  replaced: number;
  trouble: Error | undefined;
  inside: Jar | undefined;
}

function counting(more: Partial<Service> = {}, parts: Partial<OpenService> = {}): Counting {
  const state: Omit<Counting, 'service'> = { opened: 0, closed: 0, replaced: 0, trouble: undefined, inside: undefined };
  const service: Service = {
    name: 'counting',
    title: 'Counting',
    family: MANAGEMENT,
    mounts: ['/counting'],
    claims: ['/providers/Vendor.Counting'],
    sockets: [socket],
    collections: [notes],
    work: [NOTE],
    follows: [{ name: 'counting.follower', wants: ({ kind }) => kind === 'note' }],
    async open(jar) {
      counted.opened += 1;
      if (counted.trouble) throw counted.trouble;
      counted.inside = jar;
      const own: CountingJar = { ...jar, memory: { seen: 0 } };
      return {
        jar: own,
        routes: [seen, underProvider],
        control: [control],
        sockets: [
          socketRoute({
            ...socket,
            open: async (call, connection) => {
              await connection.send(String((call.jar as CountingJar).memory.seen));
            },
          }),
        ],
        work: [
          workHandler(NOTE, async (item, { store }: Jar) => {
            await store.transact(async (tx) => {
              await tx.put(notes, item.id, { text: item.payload.text });
              await tx.complete(item);
            });
          }),
        ],
        followers: {
          'counting.follower': async (tx, changes) => {
            for (const { cursor, subject } of changes) await tx.put(notes, `change-${cursor}`, { text: subject });
          },
        },
        stateReplaced() {
          counted.replaced += 1;
          own.memory.seen = 0;
        },
        close() {
          counted.closed += 1;
        },
        ...parts,
      };
    },
    ...more,
  };
  const counted: Counting = { ...state, service };
  return counted;
}

const handle: Parameters<typeof route>[0]['handle'] = (call) => {
  call.jar.memory.seen += 1;
  return ok({ seen: call.jar.memory.seen });
};
const seen = route({
  method: 'GET',
  path: '/counting/seen',
  operation: 'Counting_Seen',
  summary: 'Counts',
  open: true,
  traits: { arm: { effect: 'read', tenantLevel: true } },
  responses: { 200: Type.Object({ seen: Type.Integer() }) },
  handle,
});
const control = route({
  method: 'GET',
  path: '/_jar/counting/seen',
  operation: 'Jar_CountingSeen',
  summary: 'Counts',
  handle,
});
const underProvider: Route = armRoute({
  method: 'GET',
  path: '/subscriptions/{subscriptionId}/providers/Vendor.Counting/things',
  operation: 'Counting_List',
  summary: 'Lists',
  action: 'Vendor.Counting/things/read',
  anyVersion: true,
  handle: () => ok({ value: [] }),
});

let jar: TestJar | undefined;
afterEach(async () => {
  await jar?.close();
  jar = undefined;
});

async function start(service: Service, options: StartJarOptions = {}): Promise<TestJar> {
  jar = await startJar({ services: [RESOURCES, IDENTITY, service], ...options });
  return jar;
}

const asAdministrator = async (path: string): Promise<{ status: number; body: unknown }> => {
  const reply = await fetch(`${jar?.url}${path}`, { headers: { authorization: `Bearer ${jar?.adminKey}` } });
  return { status: reply.status, body: await reply.json() };
};
const asUser = async (path: string): Promise<Response> =>
  fetch(`${jar?.url}${path}`, { headers: { authorization: `Bearer ${await jar?.token()}` } });

describe('a service is opened', () => {
  it('by the first request at its addresses, once, however many come at once; the start and other requests leave it closed', async () => {
    const counted = counting();
    await start(counted.service);
    await asUser(`/subscriptions/${SUBSCRIPTION}?api-version=2022-12-01`);
    expect(counted.opened).toBe(0);
    const all = await Promise.all(Array.from({ length: 5 }, () => asAdministrator('/_jar/counting/seen')));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(all.map(({ body }) => (body as { seen: number }).seen))).toEqual(new Set([1, 2, 3, 4, 5]));
    expect(counted.opened).toBe(1);
  });

  it.each(['Vendor', 'Microsoft', 'vendor'])('by a request for its provider behind a scope, as %s', async (prefix) => {
    const counted = counting();
    await start(counted.service);
    const path = `/subscriptions/${SUBSCRIPTION}//providers/${prefix}.Counting/things?api-version=2022-12-01`;
    expect((await asUser(path)).status).toBe(200);
    expect(counted.opened).toBe(1);
  });

  it('by a WebSocket', async () => {
    const counted = counting();
    const { url } = await start(counted.service);
    const client = new WebSocket(`${url.replace('http', 'ws')}/counting/socket`);
    const said = await new Promise((resolve, reject) => {
      client.once('message', (data) => resolve(String(data)));
      client.once('error', reject);
    });
    expect([said, counted.opened]).toEqual(['0', 1]);
  });

  it('by an item of its due work', async () => {
    const counted = counting();
    const look: Service = {
      ...counting().service,
      name: 'look',
      claims: [],
      mounts: [],
      sockets: [],
      work: [],
      follows: [],
      collections: [],
      eager: true,
      open: async (opened) => {
        inside = opened;
        return {};
      },
    };
    let inside: Jar | undefined;
    jar = await startJar({ services: [RESOURCES, IDENTITY, counted.service, look] });
    const { store, clock } = inside as unknown as Jar;
    await store.transact((tx) => tx.schedule(NOTE.at(clock.now(), { text: 'due' }, 'one')));
    await jar.settled();
    expect((await store.get(notes, 'one'))?.value).toEqual({ text: 'due' });
    expect(counted.opened).toBe(1);
    await store.transact((tx) => (inside as unknown as Jar).feed.activate(tx, 'counting.follower'));
    await store.transact((tx) =>
      tx.change({ source: 'test', kind: 'note', subject: 'heard', outcome: 'Succeeded', at: clock.now(), data: {} }),
    );
    await jar.settled();
    const { items } = await store.query(notes, { prefix: 'change-', limit: 10 });
    expect(items.map(({ value }) => value.text)).toEqual(['heard']);
  });

  it('with the jar if it is eager, and what keeps it from opening keeps the jar from starting', async () => {
    const eager = counting({ eager: true });
    await start(eager.service);
    expect(eager.opened).toBe(1);
    await jar?.close();
    eager.trouble = new Error('no engine');
    await expect(startJar({ services: [eager.service] })).rejects.toThrow('no engine');
    jar = undefined;
  });

  it('with the jar but without its code, which comes with the first request, where it is eager and says so', async () => {
    const eager = counting({ eager: true }, { announce: { name: 'counter', text: 'ready' } });
    const { open } = eager.service;
    let loaded = 0;
    const service: Service = {
      ...eager.service,
      async open(inside) {
        const { routes, sockets, control: own, work, followers, ...parts } = await open(inside);
        const code = async () => {
          loaded += 1;
          return { routes, sockets, control: own, work, followers };
        };
        return { ...parts, code };
      },
    };
    await start(service);
    expect([eager.opened, loaded]).toEqual([1, 0]);
    await jar?.reset();
    expect([eager.replaced, loaded]).toEqual([1, 0]);
    const answers = await Promise.all([asAdministrator('/_jar/counting/seen'), asAdministrator('/_jar/counting/seen')]);
    expect(answers.map(({ body }) => body)).toEqual([{ seen: 1 }, { seen: 2 }]);
    expect([eager.opened, loaded]).toEqual([1, 1]);
    await jar?.close();
    expect(eager.closed).toBe(1);
    jar = undefined;
  });

  it('again after a failure, which is an error of the call in the shape of its API', async () => {
    const counted = counting();
    await start(counted.service);
    counted.trouble = new Error('the disk is gone');
    const failed = await asUser(
      `/subscriptions/${SUBSCRIPTION}/providers/Vendor.Counting/things?api-version=2022-12-01`,
    );
    expect(failed.status).toBe(500);
    const text = await failed.text();
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'InternalServerError' } });
    expect(text).not.toContain('the disk is gone');
    counted.trouble = undefined;
    expect((await asAdministrator('/_jar/counting/seen')).status).toBe(200);
    expect(counted.opened).toBe(2);
  });
});

describe('an open service', () => {
  it('hears of a reset and of a restored snapshot, and forgets; it is closed with the jar, once', async () => {
    const counted = counting();
    const running = await start(counted.service);
    await running.reset();
    expect(counted.replaced).toBe(0);
    await asAdministrator('/_jar/counting/seen');
    await running.snapshot('before');
    await running.reset();
    expect((await asAdministrator('/_jar/counting/seen')).body).toEqual({ seen: 1 });
    await running.restore('before');
    expect((await asAdministrator('/_jar/counting/seen')).body).toEqual({ seen: 1 });
    expect(counted.replaced).toBe(2);
    await running.close();
    jar = undefined;
    expect(counted.closed).toBe(1);
  });

  it('has a memory of its own in every jar of a process', async () => {
    const counted = counting();
    await using other = await startJar({ services: [RESOURCES, IDENTITY, counted.service] });
    await start(counted.service);
    await asAdministrator('/_jar/counting/seen');
    await asAdministrator('/_jar/counting/seen');
    const headers = { authorization: `Bearer ${other.adminKey}` };
    expect(await (await fetch(`${other.url}/_jar/counting/seen`, { headers })).json()).toEqual({ seen: 1 });
  });

  it.each<[string, Partial<Service>, Partial<OpenService>]>([
    ["work 'counting.note' is declared, but not returned", {}, { work: [] }],
    ["follower 'counting.follower' is declared, but not returned", {}, { followers: {} }],
    ["policy 'counting.mail' is declared, but not returned", { policies: ['counting.mail'] }, {}],
    ["WebSocket 'Counting_Socket' is declared, but not returned", {}, { sockets: [] }],
    ["WebSocket 'Counting_Socket' is returned by open, but not declared", { sockets: [] }, {}],
    ['a key is declared, but not returned', { hasKey: true }, {}],
    ['none of its mounts and claims covers GET /elsewhere', {}, { routes: [{ ...seen, path: '/elsewhere' }] }],
    ['control routes begin with /_jar/counting/', {}, { control: [{ ...control, path: '/_jar/other/seen' }] }],
  ])('returns exactly what its manifest declares: %s', async (message, more, parts) => {
    const { service } = counting({ ...more, eager: true }, parts);
    await expect(startJar({ services: [service] })).rejects.toThrow(message);
  });
});

it('all services open, and each gives what it declares', async () => {
  jar = await startJar({ services: SERVICES });
  expect((await asAdministrator('/_jar/openapi.json')).status).toBe(200);
});
