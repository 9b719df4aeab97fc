import { expect, it } from 'vitest';
import { onAnyStore } from '../../../../support/jars.ts';
import { SqlBench } from './support.ts';

onAnyStore('try', (bench) => {
  it('works', async () => {
    const sql = await SqlBench.of(bench);
    for (const text of (process.env.TRY ?? '').split(';;')) {
      const { status, result, manifest } = await sql.send(text);
      console.log(text, '\n  ', JSON.stringify(status.error?.message ?? status.state), JSON.stringify(manifest?.schema?.columns?.map((c: any) => c.name + ' ' + c.type_text)), JSON.stringify(result?.data_array));
    }
    expect(1).toBe(1);
  });
});
