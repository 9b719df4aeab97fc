import { expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { good, person, withoutRates } from '../support.ts';

const OVER = ['SUCCEEDED', 'FAILED', 'CANCELED'];

onBothStores('data platform: many SQL statements at once', (bench) => {
  it('each ends once and keeps its state despite concurrent cancellations, and leaves the warehouse idle', async () => {
    await withoutRates(bench);
    const ask = await person(bench);
    const { id: warehouse_id } = await good(ask('POST', '/sql/warehouses', { name: 'busy', auto_stop_mins: 10 }));
    const texts = ['SELECT sum(id) FROM range(20000)', 'SELECT 1 / 0', "SELECT repeat('x', 1000) FROM range(3000)"];
    const begin = async (index: number): Promise<string> => {
      const statement = texts[index % texts.length];
      const { statement_id } = await good(
        ask('POST', '/sql/statements', { warehouse_id, statement, wait_timeout: '0s' }),
      );
      return statement_id;
    };
    const cancel = async (id: string): Promise<unknown> => good(ask('POST', `/sql/statements/${id}/cancel`));
    const stateOf = async (id: string): Promise<string> =>
      (await good(ask('GET', `/sql/statements/${id}`))).status.state;

    const ids = await Promise.all(Array.from({ length: 48 }, (_, index) => begin(index)));
    await Promise.all([
      bench.jar.clock.advance('2m'),
      ...ids.filter((_, index) => index % 4 === 0).flatMap((id) => [cancel(id), cancel(id)]),
    ]);
    await expect
      .poll(async () => (await Promise.all(ids.map(stateOf))).every((state) => OVER.includes(state)), {
        timeout: 60_000,
      })
      .toBe(true);
    const ended = await Promise.all(ids.map(stateOf));
    await Promise.all(ids.map(cancel));
    expect(await Promise.all(ids.map(stateOf))).toEqual(ended);
    for (const [index, state] of ended.entries()) {
      const wanted = index % texts.length === 1 ? 'FAILED' : 'SUCCEEDED';
      expect(index % 4 === 0 ? [wanted, 'CANCELED'] : [wanted]).toContain(state);
    }
    await bench.jar.clock.advance('11m');
    expect((await good(ask('GET', `/sql/warehouses/${warehouse_id}`))).state).toBe('STOPPED');
  });
});
