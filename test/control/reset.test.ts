import { expect, test } from 'vitest';
import { onBothStores, SUBSCRIPTION } from '../support/jars.ts';

const group = (name: string) => `/subscriptions/${SUBSCRIPTION}/resourcegroups/${name}?api-version=2022-12-01`;
const START = '2026-01-31T09:00:00.000Z';

onBothStores(
  'reset',
  (bench) => {
    const control = (method: string, path: string, body?: unknown) =>
      bench.call(method, path, { token: bench.jar.adminKey, body });

    test('takes the jar back to its seed, state and clock, and what was issued before stays good', async () => {
      const location = { location: 'westeurope' };
      expect((await bench.call('PUT', group('gone'), { body: location })).status).toBe(201);
      expect((await bench.call('DELETE', group('gone'))).status).toBe(202);
      expect((await bench.call('PUT', group('stays'), { body: location })).status).toBe(201);
      await control('POST', '/_jar/clock/advance', { by: '3d' });
      expect((await control('GET', '/_jar/clock')).body.now).toBe('2026-02-03T09:00:00.000Z');

      const reset = await control('POST', '/_jar/reset');
      expect(reset).toMatchObject({ status: 200, body: { status: 'reset', now: START } });
      expect((await control('GET', '/_jar/clock')).body).toEqual({ now: START, mode: 'virtual', nextDue: null });
      expect((await bench.call('GET', group('stays'))).status).toBe(404);
      const subscriptions = await bench.call('GET', '/subscriptions?api-version=2022-12-01');
      expect(subscriptions.body.value).toMatchObject([{ subscriptionId: SUBSCRIPTION }]);
    });

    test('can be done again and again, and the jar can be used in between', async () => {
      for (let round = 0; round < 3; round++) {
        expect((await bench.call('PUT', group('same'), { body: { location: 'westeurope' } })).status).toBe(201);
        expect((await control('POST', '/_jar/reset')).status).toBe(200);
      }
    });
  },
  { clockStart: START },
);
