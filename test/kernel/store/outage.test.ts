import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startJar, type TestJar } from '../../../src/testing/index.ts';
import { freeze } from '../../support/frozen.ts';
import { SUBSCRIPTION } from '../../support/jars.ts';
import { createDatabase, type PostgresServer, startPostgres } from '../../support/postgres.ts';

const SOAK = process.env.CLOUDJAR_SOAK === '1';
/** The number of clients that disconnect while the database is frozen, and how long it stays frozen. */
const CLIENTS = SOAK ? 740 : 74;
const FROZEN_MS = SOAK ? 32_000 : 3200;
const SILENCE_MS = SOAK ? 5000 : 3000;
const CLIENT_PATIENCE_MS = SOAK ? 2000 : 200;
/** For each of twenty writers: a subscription has at most 980 groups. */
const MOST_EACH = 45;
const GROUPS = `/subscriptions/${SUBSCRIPTION}/resourcegroups`;

describe('a PostgreSQL that stops answering', () => {
  let server: PostgresServer;
  let jar: TestJar;
  let token: string;
  let thaw: (() => void) | undefined;

  beforeAll(async () => {
    server = await startPostgres();
    jar = await startJar({
      databaseUrl: await createDatabase(server.url, 'outage'),
      databaseTimeoutMs: SILENCE_MS,
    });
    token = await jar.token();
  }, 300_000);
  afterAll(async () => {
    thaw?.();
    await jar?.close();
    await server?.stop();
  }, 300_000);

  const call = (method: string, path: string, signal?: AbortSignal): Promise<Response> =>
    fetch(`${jar.url}${path}${path.includes('?') ? '' : '?api-version=2021-04-01'}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(method === 'PUT' && { body: '{"location":"westus"}' }),
      ...(signal && { signal }),
    });
  const put = (name: string, signal?: AbortSignal) => call('PUT', `${GROUPS}/${name}`, signal);
  const health = async () => {
    const answer = await call('GET', '/_jar/health?');
    const body = (await answer.json()) as { status: string; troubles?: { part: string; reason: string }[] };
    return { status: answer.status, body };
  };
  const names = async () => {
    const { value } = (await (await call('GET', `${GROUPS}?api-version=2021-04-01&$top=1000`)).json()) as {
      value: { name: string }[];
    };
    return value.map(({ name }) => name);
  };

  it('drops the requests of disconnected clients, answers the others with 503, and continues when the database is back', async () => {
    expect((await put('before')).status).toBe(201);
    const began = performance.now();
    thaw = freeze(server.pid);
    onTestFinished(thaw);
    const abandoned = Array.from({ length: CLIENTS }, (_, n) =>
      put(`abandoned-${n}`, AbortSignal.timeout(CLIENT_PATIENCE_MS)).then(
        ({ status }) => status,
        () => 'gave up',
      ),
    );
    const patient = put('patient');
    expect(new Set(await Promise.all(abandoned))).toEqual(new Set(['gave up']));

    // Detected while the database is frozen, because none of this could be answered otherwise.
    const refused = await patient;
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ error: { code: expect.any(String), message: /database/ } });
    const told = await health();
    expect(told).toMatchObject({
      status: 503,
      body: { status: 'degraded', troubles: [{ part: 'store', reason: expect.stringMatching(/not answer/) }] },
    });
    expect(JSON.stringify(told)).not.toContain('127.0.0.1');
    expect((await call('GET', '/_jar/health/live?')).status).toBe(200);
    const metrics = await fetch(`${jar.url}/_jar/metrics`, { headers: { authorization: `Bearer ${jar.adminKey}` } });
    expect(await metrics.text()).toMatch(/^cloudjar_store_up 0$/m);
    expect((await put('refused at once')).status).toBe(503);
    expect((await call('GET', GROUPS)).status).toBe(503);

    await new Promise((resolve) => setTimeout(resolve, Math.max(0, FROZEN_MS - (performance.now() - began))));
    thaw();
    await expect.poll(async () => (await health()).body.status, { timeout: 120_000 }).toBe('ready');
    expect((await put('after')).status).toBe(201);
    expect(await names()).toEqual(['after', 'before']);
  });

  it('keeps acknowledged writes and no refused ones, for writers that it stops midway', async () => {
    const outcomes = new Map<string, { status: number; message: string }>();
    let stop = false;
    const writers = Array.from({ length: 20 }, async (_, writer) => {
      for (let n = 0; !stop && n < MOST_EACH; n++) {
        const name = `busy-${writer}-${n}`;
        const answer = await put(name);
        const text = await answer.text();
        outcomes.set(name, { status: answer.status, message: text });
        if (answer.status !== 201) return;
      }
    });
    await expect.poll(() => outcomes.size, { timeout: 120_000 }).toBeGreaterThan(100);
    thaw = freeze(server.pid);
    onTestFinished(thaw);
    await Promise.all(writers);
    stop = true;
    thaw();
    await expect.poll(async () => (await health()).body.status, { timeout: 120_000 }).toBe('ready');
    const there = new Set(await names());
    const refused = [...outcomes].filter(([, { status }]) => status !== 201);
    expect(new Set(refused.map(([, { status }]) => status))).toEqual(new Set([503]));
    for (const [name, { status, message }] of outcomes) {
      if (status === 201) expect(there, name).toContain(name);
      else if (!/may or may not/.test(message)) expect(there, message).not.toContain(name);
    }
  });

  it('does not keep a jar from closing', async () => {
    const other = await startJar({
      databaseUrl: await createDatabase(server.url, 'closing'),
      databaseTimeoutMs: SILENCE_MS,
    });
    thaw = freeze(server.pid);
    onTestFinished(thaw);
    const left = fetch(`${other.url}/_jar/work`, { headers: { authorization: `Bearer ${other.adminKey}` } }).then(
      ({ status }) => status,
      () => 'cut off',
    );
    await other.close();
    expect([503, 'cut off']).toContain(await left);
    thaw();
  });
});
