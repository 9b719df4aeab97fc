import { expect, it } from 'vitest';
import { startJar } from '../../src/testing/index.ts';

it('settings under a name that no service has are refused, with the name that was meant', async () => {
  const starting = startJar({ settings: { event: { traces: 1 } } });
  await expect(starting).rejects.toThrow("services.event: there is no such service; did you mean 'events'?");
});

it('settings of one service are no business of another', async () => {
  const jar = await startJar({ settings: { events: { strictNames: true } } });
  await jar.close();
});
