import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openJar, type RunningJar } from '../../src/jar/index.ts';
import { loadConfig } from '../../src/kernel/config/config.ts';
import { usePostgresDatabase } from '../support/use-postgres.ts';

const PARKED = 'pump https://vendor.example/a b';

describe.each(['sqlite', 'postgres'])('%s: due work in the control API', (engine) => {
  let running: RunningJar | undefined;
  const jar = (): RunningJar => running as RunningJar;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
  const control = async (method: string, path: string): Promise<{ status: number; body: any }> => {
    const headers = { authorization: `Bearer ${jar().adminKey}` };
    const response = await fetch(`${jar().url}/_jar/${path}`, { method, headers });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const path = `work/${encodeURIComponent(PARKED)}`;

  beforeEach(async ({ skip }) => {
    if (!running) {
      const databaseUrl = engine === 'postgres' ? await usePostgresDatabase({ skip }, 'work') : undefined;
      const flags = { port: 0, httpsPort: 0, clock: 'virtual', memory: engine === 'sqlite', databaseUrl };
      const config = loadConfig({ flags, env: {}, cwd: '/' });
      running = await openJar({ config, inProcess: true, logLevel: 'fatal' });
    }
    await running.reset();
    const { store, clock } = running.jar;
    // Of a kind without a handler, so it stays unchanged.
    const item = { id: PARKED, kind: 'test.kind', dueAt: clock.now(), payload: { to: 'do' } };
    await store.transact(async (tx) => {
      await tx.schedule(item);
      await tx.schedule({ ...item, id: 'waits' });
    });
    const request = { kinds: ['test.kind'], now: clock.now(), limit: 1, leaseMs: 60_000 };
    const [claimed] = await store.work.claim(request);
    await store.transact((tx) => tx.park(claimed!, 'it failed'));
  });
  afterAll(() => running?.close());

  it('shows parked items and the reason', async () => {
    const found = await control('GET', `work?$filter=${encodeURIComponent("state eq 'parked'")}`);
    const shown = { id: PARKED, kind: 'test.kind', state: 'parked', attempts: 1, reason: 'it failed' };
    expect(found.body.value).toMatchObject([{ ...shown, payload: { to: 'do' } }]);
    expect((await control('GET', path)).body).toEqual(found.body.value[0]);
    expect((await control('GET', 'work')).body.value).toHaveLength(2);
    expect(await control('GET', 'work/nothing')).toMatchObject({
      status: 404,
      body: { error: { code: 'NoSuchWork' } },
    });
  });

  it('lets a parked item run again, once, and leaves a record of it', async () => {
    const retried = await control('POST', `${path}/retry`);
    expect(retried).toMatchObject({ status: 200, body: { id: PARKED, state: 'waiting', attempts: 0, reason: null } });
    expect(await control('POST', `${path}/retry`)).toMatchObject({
      status: 409,
      body: { error: { code: 'WorkNotParked', message: expect.stringContaining('is waiting') } },
    });
    const changes = await control('GET', `changes?$filter=${encodeURIComponent("source eq 'control'")}`);
    expect(changes.body.value).toMatchObject([
      { kind: 'work', subject: PARKED, outcome: 'Succeeded', data: { action: 'retry', workKind: 'test.kind' } },
    ]);
    const { store, clock } = jar().jar;
    const request = { kinds: ['test.kind'], now: clock.now(), limit: 5, leaseMs: 60_000 };
    const claimed = await store.work.claim(request);
    expect(claimed.map(({ id }) => id).sort()).toEqual([PARKED, 'waits']);
    expect(await control('DELETE', path)).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('is leased') } },
    });
  });

  it('drops a parked item, and nothing that is not', async () => {
    expect((await control('DELETE', path)).status).toBe(204);
    expect((await control('DELETE', path)).status).toBe(404);
    expect((await control('POST', `${path}/retry`)).status).toBe(404);
    expect((await control('DELETE', 'work/waits')).status).toBe(409);
    const changes = await control('GET', `changes?$filter=${encodeURIComponent("data eq 'x'")}`);
    expect(changes.status).toBe(400);
    const records = await control('GET', `changes?$filter=${encodeURIComponent("kind eq 'work'")}`);
    expect(records.body.value).toMatchObject([{ subject: PARKED, data: { action: 'drop' } }]);
  });
});
