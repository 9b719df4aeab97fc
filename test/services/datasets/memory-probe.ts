import type { MemoryProbe } from '../../support/memory-probe.ts';
import { control, good, PLAIN, person } from './support.ts';

/** Covers run-time settings, cached datasets, and the converter of a table's schema. */
export const probe: MemoryProbe = {
  service: 'datasets',
  async remember(bench) {
    const ask = await person(bench);
    await control(bench, 'PATCH', 'datasets/settings', { basicFifoRows: 10 });
    const { id } = await good(ask('POST', 'datasets', { name: 'Remembered', tables: [PLAIN] }));
    await good(ask('POST', `datasets/${id}/tables/Plain/rows`, { rows: [{ id: 1 }] }));
  },
  async look(bench) {
    const ask = await person(bench);
    const { settings } = (await control(bench, 'GET', 'datasets/settings')).body;
    return {
      settings,
      datasets: (await good(ask('GET', 'datasets'))).value,
      growth: (await control(bench, 'GET', 'datasets')).body.value,
    };
  },
};
