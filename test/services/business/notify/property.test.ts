import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type CliProcess, spawnCli } from '../../../cli/cli.ts';
import type { Entry } from './support.ts';

const SOAK = process.env.CLOUDJAR_SOAK === '1';
const STORIES = SOAK ? 200 : 4;
const LONGEST_STORY = SOAK ? 60 : 30;
const SETS = ['customers', 'vendors'] as const;
/** Entities that exist before the first subscription. */
const KNOWN_BEFORE = 3;
/** Vendors become a collection entry early, customers are notified singly. */
const MOST_VENDORS = 1;
const SETTINGS = { OnGetMaxNumberOfNotifications: [{ resource: 'vendors', value: MOST_VENDORS }] };
/** Longer than any delay between two attempts, shorter than the lifetime of a subscription. */
const TO_THE_END = '20h';

type EntitySet = (typeof SETS)[number];
type Answer = { readonly status: number; readonly body: { readonly value: readonly { readonly id: string }[] } };

/** A jar on one folder that is killed and restarted; its clock stands still unless it is advanced. */
class Jar {
  readonly #folder = mkdtempSync(join(tmpdir(), 'cloudjar-business-'));
  #process: CliProcess | undefined;
  #url = '';
  #token = '';
  #key = '';
  companyPath = '';

  constructor() {
    onTestFinished(() => rmSync(this.#folder, { recursive: true, force: true }));
  }

  async start(): Promise<void> {
    const ports = ['--port', '0', '--https-port', '0', '--allow-http-loopback'];
    this.#process = spawnCli(['start', ...ports, '--data', 'data', '--clock', 'virtual'], { cwd: this.#folder });
    this.#url = (await this.#process.printed(/ready on (\S+)/))[1] ?? '';
    this.#key = readFileSync(join(this.#folder, 'data/admin.key'), 'utf8').trim();
    if (this.#token !== '') return;
    // biome-ignore lint/suspicious/noExplicitAny: a token
    this.#token = ((await this.control('POST', 'tokens', { ttl: '365d' })).body as any).access_token;
    const companies = await this.call('GET', '/api/v2.0/companies');
    this.companyPath = `/api/v2.0/companies(${companies.body.value[0]?.id})`;
  }

  async kill(): Promise<void> {
    this.#process?.kill('SIGKILL');
    await this.#process?.result;
  }

  call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    this.#send(method, path, body, { authorization: `Bearer ${this.#token}`, 'if-match': '*' });
  control = (method: string, path: string, body?: unknown): Promise<Answer> =>
    this.#send(method, `/_jar/${path}`, body, { authorization: `Bearer ${this.#key}` });

  async #send(method: string, path: string, body: unknown, headers: Record<string, string>): Promise<Answer> {
    const response = await fetch(this.#url + path, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : undefined };
  }
}

/**
 * A subscriber that knows of an entity set only what it was notified of: for every entry it reads the resource that the entry names, and
 * answers afterwards. Fails on demand with a status that is retried.
 */
class Subscriber {
  /** Entities by id, as they were read. */
  readonly known: Map<string, string>;
  failures = 0;
  /** Number of entries in the largest message. */
  largest = 0;
  readonly #jar: Jar;
  readonly #server = createServer((request, response) => void this.#receive(request, response));
  url = '';
  subscriptionId = '';

  constructor(jar: Jar, known: Iterable<[string, string]>) {
    this.#jar = jar;
    this.known = new Map(known);
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
    onTestFinished(() => {
      this.#server.closeAllConnections();
      this.#server.close();
    });
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks = await request.toArray().catch(() => undefined);
    if (!chunks) return;
    const token = new URL(request.url ?? '', 'http://any').searchParams.get('validationToken');
    if (token !== null) return void response.end(token);
    if (this.failures > 0) {
      this.failures -= 1;
      if (this.failures % 2 === 0) response.writeHead(503).end();
      else request.socket.destroy();
      return;
    }
    try {
      const entries: readonly Entry[] = JSON.parse(Buffer.concat(chunks).toString()).value;
      this.largest = Math.max(this.largest, entries.length);
      for (const entry of entries) await this.#learn(entry);
      response.writeHead(200).end();
    } catch {
      // The jar was killed during the read: it sends the notification again.
      request.socket.destroy();
    }
  }

  async #learn({ changeType, resource }: Entry): Promise<void> {
    const id = /\(([^()]*)\)$/.exec(resource)?.[1] ?? '';
    if (changeType === 'deleted') return void this.known.delete(id);
    const { status, body } = await this.#jar.call('GET', resource);
    if (changeType === 'collection') {
      if (!resource.includes('$filter')) this.known.clear();
      for (const each of body.value) this.known.set(each.id, contentOf(each));
    } else if (status === 404) this.known.delete(id);
    else this.known.set(id, contentOf(body));
  }
}

/** Everything but the address that it was read from. */
function contentOf(entity: object): string {
  return JSON.stringify(Object.entries(entity).filter(([name]) => name !== '@odata.context'));
}

type Step =
  | { readonly do: 'create' | 'update' | 'delete'; readonly set: EntitySet; readonly at: number }
  | { readonly do: 'advance'; readonly seconds: number }
  | { readonly do: 'fail'; readonly set: EntitySet; readonly times: number }
  /** Renews the subscription, at its address or at another one. */
  | { readonly do: 'renew'; readonly set: EntitySet; readonly path: string }
  | { readonly do: 'kill' }
  /** A kill during a change or a renewal: afterwards it is either complete or undone. */
  | { readonly do: 'kill within'; readonly what: 'update' | 'renew'; readonly set: EntitySet; readonly at: number };

const anySet = fc.constantFrom(...SETS);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constantFrom('create' as const, 'update' as const, 'delete' as const),
      set: anySet,
      at: fc.nat(5),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('advance' as const), seconds: fc.constantFrom(5, 15, 30, 60, 700) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('fail' as const), set: anySet, times: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('renew' as const),
      set: anySet,
      path: fc.constantFrom('/hook', '/moved', '/moved?again'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('kill' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('kill within' as const),
      what: fc.constantFrom('update' as const, 'renew' as const),
      set: anySet,
      at: fc.nat(5),
    }),
  },
);

class Story {
  readonly #jar: Jar;
  subscribers: Readonly<Record<EntitySet, Subscriber>> | undefined;
  readonly #made: Record<EntitySet, string[]> = { customers: [], vendors: [] };
  #count = 0;

  constructor(jar: Jar) {
    this.#jar = jar;
  }

  async take(step: Step): Promise<void> {
    const jar = this.#jar;
    if (step.do === 'advance') await jar.control('POST', 'clock/advance', { by: `${step.seconds}s` });
    else if (step.do === 'fail' && this.subscribers) this.subscribers[step.set].failures = step.times;
    else if (step.do === 'kill') await this.#restart();
    else if (step.do === 'renew') await this.#renew(step.set, step.path);
    else if (step.do === 'kill within') {
      const { what, set, at } = step;
      const begun = what === 'update' ? this.#change('update', set, at) : this.#renew(set, `/killed/${at}`);
      const ended = begun.catch(() => undefined);
      await this.#restart();
      await ended;
    } else if (step.do !== 'fail') await this.#change(step.do, step.set, step.at);
  }

  async #renew(set: EntitySet, path: string): Promise<void> {
    const { url, subscriptionId } = (this.subscribers as NonNullable<typeof this.subscribers>)[set];
    const body = { notificationUrl: new URL(path, url).href };
    const { status } = await this.#jar.call('PATCH', `/api/v2.0/subscriptions('${subscriptionId}')`, body);
    expect(status).toBe(200);
  }

  /** Removes the subscriptions and all created records. */
  async end(): Promise<void> {
    const { body } = await this.#jar.call('GET', '/api/v2.0/subscriptions');
    for (const { subscriptionId } of body.value as unknown as { subscriptionId: string }[]) {
      expect((await this.#jar.call('DELETE', `/api/v2.0/subscriptions('${subscriptionId}')`)).status).toBe(204);
    }
    for (const set of SETS) {
      for (const id of this.#made[set]) await this.#jar.call('DELETE', `${this.#jar.companyPath}/${set}(${id})`);
    }
  }

  async #restart(): Promise<void> {
    await this.#jar.kill();
    await this.#jar.start();
  }

  async #change(what: 'create' | 'update' | 'delete', set: EntitySet, at: number): Promise<void> {
    const made = this.#made[set];
    const path = `${this.#jar.companyPath}/${set}`;
    const displayName = `Name ${++this.#count}`;
    const id = made[at % Math.max(made.length, 1)];
    if (what === 'create' || id === undefined) {
      const { status, body } = await this.#jar.call('POST', path, { displayName });
      expect(status).toBe(201);
      made.push((body as unknown as { id: string }).id);
    } else if (what === 'update') {
      expect((await this.#jar.call('PATCH', `${path}(${id})`, { displayName })).status).toBe(200);
    } else {
      expect((await this.#jar.call('DELETE', `${path}(${id})`)).status).toBe(204);
      made.splice(made.indexOf(id), 1);
    }
  }
}

describe('whatever is changed, whenever the jar is killed, however often a receiver fails within the retry window', () => {
  test('every subscriber eventually knows the exact state from its notifications', {
    timeout: SOAK ? 3_600_000 : 240_000,
  }, async () => {
    const jar = new Jar();
    await jar.start();
    expect((await jar.control('PATCH', 'business/settings', SETTINGS)).status).toBe(200);
    const listed = async (set: EntitySet): Promise<[string, string][]> => {
      const { body } = await jar.call('GET', `${jar.companyPath}/${set}`);
      return body.value.map((each) => [each.id, contentOf(each)]);
    };
    const subscribe = async (set: EntitySet): Promise<Subscriber> => {
      const subscriber = new Subscriber(jar, await listed(set));
      await subscriber.listen();
      const body = { notificationUrl: subscriber.url, resource: `${jar.companyPath}/${set}` };
      const made = await jar.call('POST', '/api/v2.0/subscriptions', body);
      expect(made.status).toBe(201);
      subscriber.subscriptionId = (made.body as unknown as { subscriptionId: string }).subscriptionId;
      return subscriber;
    };
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 10, maxLength: LONGEST_STORY }), async (steps) => {
        const story = new Story(jar);
        for (const set of SETS) for (let i = 0; i < KNOWN_BEFORE; i++) await story.take({ do: 'create', set, at: i });
        const subscribers = { customers: await subscribe('customers'), vendors: await subscribe('vendors') };
        story.subscribers = subscribers;
        for (const step of steps) await story.take(step);
        for (const set of SETS) subscribers[set].failures = 0;
        expect((await jar.control('POST', 'clock/advance', { by: TO_THE_END })).status).toBe(200);
        for (const set of SETS) expect([...subscribers[set].known].sort(), set).toEqual((await listed(set)).sort());
        expect(subscribers.vendors.largest).toBeLessThanOrEqual(MOST_VENDORS);
        await story.end();
      }),
      { numRuns: STORIES, ...(SOAK ? {} : { seed: 20_240_501, endOnFailure: true }) },
    );
  });
});
