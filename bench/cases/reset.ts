import type { TestJar } from '../../src/testing/index.ts';
import type { Case } from '../lib/case.ts';
import { takeTurns, timed } from '../lib/rounds.ts';
import { loadStartJar } from '../lib/testing.ts';

/** Approximately what a test leaves behind. */
const GROUPS = 20;

export const reset: Case = {
  name: 'reset',
  summary: `Resetting a jar in memory in which ${GROUPS} resource groups were written, against starting another one in the same process.`,
  async run({ quick }) {
    const startJar = await loadStartJar();
    const jar = await startJar();
    const figures = await takeTurns(quick ? 5 : 21, {
      async start() {
        const began = performance.now();
        const fresh = await startJar();
        const took = performance.now() - began;
        await fresh.close();
        return took;
      },
      async reset() {
        await use(jar);
        return timed(() => jar.reset());
      },
    });
    await jar.close();
    return [
      {
        title: 'back to the seed',
        unit: 'ms',
        baseline: { name: 'startJar()', values: figures.start },
        subject: { name: 'jar.reset()', values: figures.reset },
        target: { atMost: 0.1 },
      },
    ];
  },
};

async function use(jar: TestJar): Promise<void> {
  const headers = { authorization: `Bearer ${await jar.token()}`, 'content-type': 'application/json' };
  const list = await fetch(`${jar.url}/subscriptions?api-version=2022-12-01`, { headers });
  const { value } = (await list.json()) as { value: { id: string }[] };
  for (let n = 0; n < GROUPS; n++) {
    const url = `${jar.url}${value[0]?.id}/resourceGroups/used-${n}?api-version=2025-04-01`;
    const response = await fetch(url, { method: 'PUT', headers, body: '{"location":"westus"}' });
    if (response.status !== 201) throw new Error(`${url} answered ${response.status}`);
    await response.arrayBuffer();
  }
}
