import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type CliProcess, spawnCli } from '../../cli/cli.ts';
import { SUBSCRIPTION } from '../../support/jars.ts';

const SOAK = process.env.CLOUDJAR_SOAK === '1';
const KILLS = SOAK ? 30 : 2;
const EVENTS = SOAK ? 20_000 : 400;
const BATCH = 10;
const PUBLISHERS = 4;
/** Every 20th delivery is refused permanently, so that there are dead letters even with few events. */
const REFUSED = 20;
const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/shop`;
const TOPIC = `${GROUP}/providers/Vendor.EventGrid/topics/orders`;
const VERSION = 'api-version=2025-02-15';

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the test looks into answers of every shape
  readonly body: any;
}

/** A receiver that fails at random, refuses every twentieth delivery permanently, and records which run of the jar delivered each event. */
class Receiver {
  /** The runs that delivered an event, by event id. */
  readonly taken = new Map<string, number[]>();
  readonly #life: () => number;
  #chance: number;
  #received = 0;
  readonly server = createServer((request, response) => void this.#receive(request, response));
  url = '';

  constructor(life: () => number, seed: number) {
    this.#life = life;
    this.#chance = seed;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
    onTestFinished(() => {
      this.server.closeAllConnections();
      this.server.close();
    });
  }

  /** Resolves when all connections are over: everything that the killed jar sent has been received. */
  async drained(): Promise<void> {
    const count = () => new Promise<number>((resolve) => this.server.getConnections((_, open) => resolve(open)));
    while ((await count()) > 0) await sleep(5);
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks = await request.toArray().catch(() => undefined);
    if (!chunks) return;
    const events = JSON.parse(Buffer.concat(chunks).toString()) as { id: string; data?: { validationCode?: string } }[];
    const kind = request.headers['aeg-event-type'];
    if (kind === 'SubscriptionValidation') {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ validationResponse: events[0]?.data?.validationCode }));
      return;
    }
    const lot = this.#draw();
    if (lot < 0.2) response.writeHead(503).end();
    else if (++this.#received % REFUSED === 0) response.writeHead(400).end();
    else if (lot < 0.26) request.socket.destroy();
    else {
      for (const { id } of events) this.taken.set(id, [...(this.taken.get(id) ?? []), this.#life()]);
      response.writeHead(200).end();
    }
  }

  /** The same sequence in every run. */
  #draw(): number {
    this.#chance = (this.#chance * 1_103_515_245 + 12_345) % 2 ** 31;
    return this.#chance / 2 ** 31;
  }
}

class Jar {
  readonly folder = mkdtempSync(join(tmpdir(), 'cloudjar-events-'));
  life = 0;
  #process: CliProcess | undefined;
  #url = '';
  #token = '';
  #key = '';

  constructor() {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  async start(): Promise<void> {
    const ports = ['--port', '0', '--https-port', '0', '--allow-http-loopback'];
    this.#process = spawnCli(['start', ...ports, '--data', 'data', '--clock', 'virtual'], { cwd: this.folder });
    this.#url = (await this.#process.printed(/ready on (\S+)/))[1] ?? '';
    this.#key = readFileSync(join(this.folder, 'data/admin.key'), 'utf8').trim();
    if (this.#token === '') this.#token = (await this.control('POST', 'tokens', { ttl: '365d' }))?.body.access_token;
  }

  async kill(receivers: readonly Receiver[]): Promise<void> {
    this.#process?.kill('SIGKILL');
    await this.#process?.result;
    for (const receiver of receivers) await receiver.drained();
    // The next process counts as a new life from its first message on, even before it is ready.
    this.life += 1;
  }

  call = (method: string, path: string, body?: unknown) =>
    this.#send(method, path, body, { authorization: `Bearer ${this.#token}` });
  control = (method: string, path: string, body?: unknown) =>
    this.#send(method, `/_jar/${path}`, body, { authorization: `Bearer ${this.#key}` });
  publish = (path: string, key: string, events: unknown) => this.#send('POST', path, events, { 'aeg-sas-key': key });

  /** Returns undefined if the jar was killed before it answered. */
  async #send(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Answer | undefined> {
    try {
      const response = await fetch(this.#url + path, {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await response.text();
      return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : undefined };
    } catch {
      return undefined;
    }
  }
}

async function must(answer: Promise<{ status: number; body: unknown } | undefined>, status: number) {
  const { status: got, body } = (await answer) ?? { status: 0, body: undefined };
  expect(got, JSON.stringify(body)).toBe(status);
  // biome-ignore lint/suspicious/noExplicitAny: the test looks into answers of every shape
  return body as any;
}

async function subscribe(jar: Jar, name: string, receiver: Receiver, maxEventsPerBatch: number): Promise<void> {
  const properties = {
    destination: { endpointType: 'WebHook', properties: { endpointUrl: receiver.url, maxEventsPerBatch } },
    retryPolicy: { maxDeliveryAttempts: 4 },
    deadLetterDestination: {
      endpointType: 'StorageBlob',
      properties: { resourceId: `${GROUP}/providers/Vendor.Storage/storageAccounts/store`, blobContainerName: name },
    },
  };
  const path = `${TOPIC}/providers/Vendor.EventGrid/eventSubscriptions/${name}?${VERSION}`;
  await must(jar.call('PUT', path, { properties }), 201);
  await jar.control('POST', 'clock/advance', { by: '1s' });
  expect((await must(jar.call('GET', path), 200)).properties.provisioningState).toBe('Succeeded');
}

/** The ids of all events in the dead letters of a subscription. */
async function deadLetters(jar: Jar, container: string): Promise<Set<string>> {
  const { value: queues } = await must(jar.control('GET', 'events/queues'), 200);
  const queue = queues.find(({ name }: { name: string }) => name.includes(container));
  const ids = new Set<string>();
  for (let next: string | undefined = queue && `events/queues/${queue.id}/messages?$top=100`; next; ) {
    const page = await must(jar.control('GET', next), 200);
    for (const { body } of page.value) for (const { id } of body) ids.add(id);
    next = page.nextLink?.replace(/^.*\/_jar\//, '');
  }
  return ids;
}

describe(`a jar that is killed ${KILLS} times while ${EVENTS} events flow to receivers that fail at random`, () => {
  test('delivers or keeps every event that it acknowledged, and doubles only what a kill interrupted', {
    timeout: SOAK ? 1_800_000 : 240_000,
  }, async () => {
    const jar = new Jar();
    const receivers = { single: new Receiver(() => jar.life, 7), batched: new Receiver(() => jar.life, 11) };
    for (const receiver of Object.values(receivers)) await receiver.listen();
    await jar.start();
    await must(jar.call('PUT', `${GROUP}?api-version=2021-04-01`, { location: 'westus' }), 201);
    await must(jar.call('PUT', `${TOPIC}?${VERSION}`, { location: 'westus' }), 201);
    await subscribe(jar, 'single', receivers.single, 1);
    await subscribe(jar, 'batched', receivers.batched, BATCH);
    const { key1 } = await must(jar.call('POST', `${TOPIC}/listKeys?${VERSION}`), 200);
    const { properties } = await must(jar.call('GET', `${TOPIC}?${VERSION}`), 200);
    const endpoint = new URL(properties.endpoint).pathname;

    const acknowledged = new Set<string>();
    let sent = 0;
    let isUp = true;
    const publish = async (publisher: number): Promise<void> => {
      while (acknowledged.size < EVENTS) {
        if (!isUp) {
          await sleep(20);
          continue;
        }
        const ids = Array.from({ length: BATCH }, () => `${publisher}-${sent++}`);
        const events = ids.map((id) => ({
          id,
          eventType: 'Order',
          subject: id,
          eventTime: '2030-01-01T00:00:00Z',
          dataVersion: '1',
          data: {},
        }));
        const answer = await jar.publish(`${endpoint}?api-version=2018-01-01`, key1, events);
        if (answer?.status === 200) for (const id of ids) acknowledged.add(id);
        else if (answer) throw new Error(`publishing was refused: ${JSON.stringify(answer)}`);
      }
    };
    let isPublishing = true;
    const publishing = Promise.all(Array.from({ length: PUBLISHERS }, (_, i) => publish(i))).finally(() => {
      isPublishing = false;
    });
    publishing.catch(() => {});
    for (let kill = 0; kill < KILLS; kill++) {
      // By the number of acknowledged events and not by time, so that every kill happens while events flow, even on a fast machine.
      const enough = (EVENTS * (kill + 1)) / (KILLS + 1);
      while (isPublishing && acknowledged.size < enough) await sleep(5);
      if (kill % 3 === 1) void jar.control('POST', 'clock/advance', { by: '45s' });
      isUp = false;
      await jar.kill(Object.values(receivers));
      await jar.start();
      isUp = true;
    }
    await publishing;
    // Beyond all retries and dead letters.
    await must(jar.control('POST', 'clock/advance', { by: '30h' }), 200);
    const { value: queued } = await must(jar.control('GET', 'deliveries?state=queued&service=events'), 200);
    expect(queued).toEqual([]);

    let doubled = 0;
    for (const [name, { taken }] of Object.entries(receivers)) {
      const kept = await deadLetters(jar, name);
      const lost = [...acknowledged].filter((id) => !taken.has(id) && !kept.has(id));
      expect(lost, `lost by ${name}`).toEqual([]);
      expect(kept.size, `dead letters of ${name}`).toBeGreaterThan(0);
      const withinOneLife = [...taken].filter(([, lives]) => new Set(lives).size < lives.length);
      expect(withinOneLife, `doubled by ${name} without a kill`).toEqual([]);
      doubled += [...taken.values()].filter((lives) => lives.length > 1).length;
    }
    await jar.kill(Object.values(receivers));
    console.info(`${acknowledged.size} events acknowledged, ${KILLS} kills, ${doubled} events delivered twice`);
  });
});
