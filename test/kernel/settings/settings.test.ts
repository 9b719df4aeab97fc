import { describe, expect, expectTypeOf, it } from 'vitest';
import { MANAGEMENT } from '../../../src/kernel/arm/family.ts';
import type { QuotaLimit } from '../../../src/kernel/limits/index.ts';
import type { Service } from '../../../src/kernel/service/service.ts';
import { defineSettings, openSettings, settingsRules } from '../../../src/kernel/settings/index.ts';
import { SERVICES } from '../../../src/services.ts';
import { startJar } from '../../../src/testing/index.ts';
import { type Bench, onBothStores, type Reply, withJar } from '../../support/jars.ts';

const THINGS: QuotaLimit = {
  kind: 'quota',
  name: 'tuned.things',
  title: 'Things',
  scope: ['tenant'],
  unit: 'things',
  limit: 7,
};

const TABLE = defineSettings('tuned', {
  about: 'the tuned service',
  rows: {
    pause: { kind: 'duration', from: 0, to: 60_000, default: 1000, title: 'Between two steps' },
    waits: { kind: 'durations', from: 0, to: 60_000, default: [1000], title: 'After failures' },
    most: { kind: 'count', from: 1, to: 9, by: ['region'], title: 'At once' },
    things: { kind: 'limit', limit: THINGS, from: 0, to: 100, title: 'The most things' },
  },
});

/** A service with nothing but settings. */
const tuned: Service = {
  name: 'tuned',
  title: 'Tuned',
  family: MANAGEMENT,
  mounts: ['/tuned'],
  limits: [THINGS],
  settings: { changeable: TABLE, load: async () => settingsRules(TABLE) },
  open: async (jar) => ({ settings: openSettings(TABLE, jar) }),
};

const services = [...SERVICES, tuned];

const ask = (bench: Bench, method: string, body?: unknown): Promise<Reply> =>
  bench.call(method, '/_jar/tuned/settings', {
    token: bench.jar.adminKey,
    ...(body !== undefined && { body }),
  });

const current = { value: 1000, text: '1s', source: 'default', summary: 'Between two steps' };

it('settings have the types of their rows, and limits are not among them', () => {
  expectTypeOf(TABLE.defaults.pause).toEqualTypeOf<number>();
  expectTypeOf(TABLE.defaults.waits).toEqualTypeOf<readonly number[]>();
  expectTypeOf(TABLE.defaults).not.toHaveProperty('things');
  expect(TABLE.defaults).toEqual({ pause: 1000, waits: [1000] });
});

onBothStores(
  'settings of a service that declares them',
  (bench) => {
    it('are shown with the source of each value', async () => {
      const { status, body } = await ask(bench, 'GET');
      expect(status).toBe(200);
      expect(body.settings).toEqual({
        pause: current,
        waits: { value: [1000], source: 'default', summary: 'After failures' },
        most: { value: null, source: 'default', summary: 'At once' },
        things: { value: 7, source: 'default', summary: "The most things: the limit 'tuned.things'" },
      });
    });

    it('are changed together, and null puts one back', async () => {
      const cases = [{ region: 'north', value: 2 }, { value: 3 }];
      const { body } = await ask(bench, 'PATCH', { pause: '00:00:02', waits: ['1s', 500], most: cases, things: 3 });
      expect(body.settings).toMatchObject({
        pause: { value: 2000, text: '2s', source: 'run time' },
        waits: { value: [1000, 500], source: 'run time' },
        most: { value: cases, source: 'run time' },
        things: { value: 3, source: 'run time' },
      });
      expect((await ask(bench, 'GET')).body).toEqual(body);
      await ask(bench, 'PATCH', { waits: null, most: null, things: null, pause: null });
      const back = (await ask(bench, 'GET')).body.settings;
      expect(back.pause).toEqual(current);
      expect(Object.values(back)).toEqual(
        Object.values(back).map(() => expect.objectContaining({ source: 'default' })),
      );
    });

    it.each([
      [{ colour: 1 }, 'NoSuchSetting', 'GET /_jar/tuned/settings'],
      [{ Pause: 1 }, 'NoSuchSetting', "'Pause'"],
      [{ pause: 60_001 }, 'BadSetting', 'from 0 to 60000 milliseconds'],
      [{ most: [{ region: 5, value: 1 }] }, 'BadSetting', "must give 'region' as text"],
      [{ pause: 1, things: 101 }, 'BadSetting', 'from 0 to 100'],
    ])('are not changed by %j', async (body, code, message) => {
      const before = (await ask(bench, 'GET')).body;
      const reply = await ask(bench, 'PATCH', body);
      expect(reply.status).toBe(400);
      expect(reply.body.error).toMatchObject({ code, message: expect.stringContaining(message) });
      expect((await ask(bench, 'GET')).body).toEqual(before);
    });

    it('are those of a new jar after a reset', async () => {
      await ask(bench, 'PATCH', { pause: 5, things: 5 });
      await bench.jar.reset();
      const { pause, things } = (await ask(bench, 'GET')).body.settings;
      expect([pause, things.source]).toEqual([current, 'default']);
    });
  },
  { services },
);

describe('settings of a service in the configuration', () => {
  withJar(
    (bench) => {
      it('are overridden by run-time changes', async () => {
        const configured = (await ask(bench, 'GET')).body.settings;
        expect(configured).toMatchObject({
          pause: { value: 3000, source: 'configuration' },
          things: { value: 4, source: 'configuration' },
        });
        await ask(bench, 'PATCH', { pause: 1 });
        expect((await ask(bench, 'GET')).body.settings.pause).toMatchObject({ value: 1, source: 'run time' });
        await ask(bench, 'PATCH', { pause: null });
        expect((await ask(bench, 'GET')).body.settings).toEqual(configured);
      });
    },
    { services, settings: { tuned: { pause: '3s', things: 4 } } },
  );

  it.each([
    [{ speed: 1 }, 'speed'],
    [{ pause: 60_001 }, 'services.tuned: pause must be from 0 to 60000'],
  ])('keep a jar from starting where they cannot be: %j', async (given, message) => {
    await expect(startJar({ services, settings: { tuned: given } })).rejects.toThrow(message);
  });
});

it('a service has to open the settings that it declares', async () => {
  const jar = await startJar({ services: [...SERVICES, { ...tuned, open: async () => ({}) }], logLevel: 'silent' });
  try {
    const answer = await fetch(`${jar.url}/_jar/tuned/settings`, {
      headers: { authorization: `Bearer ${jar.adminKey}` },
    });
    expect(answer.status).toBe(500);
  } finally {
    await jar.close();
  }
});
