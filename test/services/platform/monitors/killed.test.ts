import { expect, it } from 'vitest';
import { MortalJar } from '../mortal-jar.ts';

const UC = '/api/2.1/unity-catalog';
const TABLE = 'main.default.orders';
const REFRESHES = `${UC}/tables/${TABLE}/monitor/refreshes`;

interface Refresh {
  readonly refresh_id: number;
  readonly state: string;
}

it('every refresh ends once and writes its metrics once, although the jar is killed during refreshes', {
  timeout: 120_000,
}, async () => {
  const jar = new MortalJar(['--clock', 'virtual']);
  await jar.start();
  try {
    await jar.need('POST', `${UC}/tables`, {
      catalog_name: 'main',
      schema_name: 'default',
      name: 'orders',
      table_type: 'EXTERNAL',
      data_source_format: 'DELTA',
      storage_location: 'abfss://lake@vendor.example/orders',
      columns: [{ name: 'id', type_name: 'LONG' }],
    });
    const monitor = { assets_dir: '/Shared', output_schema_name: 'main.default', snapshot: {} };
    await jar.need('POST', `${UC}/tables/${TABLE}/monitor`, monitor);
    await jar.need('POST', '/_jar/clock/advance', { by: '1m' });
    let answered = 0;
    const lookUntilDeath = async (): Promise<void> => {
      for (;;) {
        const begun = await jar.send('POST', REFRESHES);
        if (!begun) return;
        if (begun.status === 200) answered++;
      }
    };
    const advanceUntilDeath = async (): Promise<void> => {
      while (await jar.send('POST', '/_jar/clock/advance', { by: '20s' })) {}
    };
    for (let life = 0; life < 2; life++) {
      const enough = answered + 4;
      const running = [lookUntilDeath(), advanceUntilDeath()];
      await expect.poll(() => answered, { interval: 1, timeout: 60_000 }).toBeGreaterThan(enough);
      await jar.kill();
      await Promise.all(running);
      await jar.start();
    }
    await jar.need('POST', '/_jar/clock/advance', { by: '1h' });
    const { refreshes }: { refreshes: readonly Refresh[] } = await jar.need('GET', REFRESHES);
    expect(refreshes.length).toBeGreaterThanOrEqual(answered);
    expect(new Set(refreshes.map(({ state }) => state))).toEqual(new Set(['SUCCESS']));
    const figures = await jar.need('GET', `${UC}/tables/${TABLE}_profile_metrics?include_delta_metadata=true`);
    const { delta_runtime_properties: log } = figures.delta_runtime_properties_kvpairs;
    expect(Number(log['delta.lastUpdateVersion'])).toBe(refreshes.length);
  } finally {
    await jar.kill();
  }
});
