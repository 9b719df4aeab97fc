import { expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { good, person, withoutRates } from '../support.ts';

onAnyStore(
  'data platform: statements that nobody polls',
  (bench) => {
    it('a statement that waits for its warehouse is canceled after a quarter of an hour without a request for it', async () => {
      await withoutRates(bench);
      const ask = await person(bench);
      const { id: warehouse_id } = await good(ask('POST', '/sql/warehouses', { name: 'slow' }));
      const begin = async (): Promise<string> =>
        (await good(ask('POST', '/sql/statements', { warehouse_id, statement: 'SELECT 1', wait_timeout: '0s' })))
          .statement_id;
      const stateOf = async (id: string) => (await good(ask('GET', `/sql/statements/${id}`))).status;
      const [seen, unseen] = [await begin(), await begin()];
      await bench.jar.clock.advance('10m');
      expect(await stateOf(seen)).toEqual({ state: 'PENDING' });
      await bench.jar.clock.advance('10m');
      expect(await stateOf(seen)).toEqual({ state: 'PENDING' });
      expect(await stateOf(unseen)).toEqual({ state: 'CANCELED' });
      for (let passed = 0; passed < 4; passed++) {
        await bench.jar.clock.advance('10m');
        await stateOf(seen);
      }
      expect(await stateOf(seen)).toEqual({ state: 'SUCCEEDED' });
    });
  },
  { clock: 'virtual', settings: { platform: { clusterStartSeconds: 3000 } } },
);
