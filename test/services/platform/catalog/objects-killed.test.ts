import { expect, it } from 'vitest';
import { MortalJar } from '../mortal-jar.ts';

const UC = '/api/2.1/unity-catalog';
const ML = '/api/2.0/mlflow/unity-catalog/model-versions';
const MODEL = 'main.default.churn';

it('version numbers are unique and a removal completes, although the jar is killed in between', {
  timeout: 240_000,
}, async () => {
  const jar = new MortalJar(['--clock', 'virtual']);
  await jar.start();
  const numbers: number[] = [];
  try {
    const { metastore_id: metastore } = await jar.need('GET', `${UC}/metastore_summary`);
    await jar.need('POST', `${UC}/models`, { catalog_name: 'main', schema_name: 'default', name: 'churn' });
    for (let life = 0; life < 2; life++) {
      const enough = numbers.length + 20;
      const create = async (): Promise<void> => {
        for (;;) {
          const made = await jar.send('POST', `${ML}/create`, { name: MODEL, source: 's' });
          if (made?.status !== 200) return;
          numbers.push(Number(made.body.model_version.version));
          if (numbers.length === enough) await jar.kill();
        }
      };
      await Promise.all([create(), create(), create(), create()]);
      await jar.start();
    }
    expect(new Set(numbers).size).toBe(numbers.length);
    const { model_versions: versions } = await jar.need('GET', `${UC}/models/${MODEL}/versions?max_results=1000`);
    const kept = versions.map(({ version }: { version: number }) => version);
    // Acknowledged creations exist; unacknowledged ones may exist.
    expect(kept).toEqual(expect.arrayContaining(numbers));
    const count = async () =>
      (await jar.need('GET', `${UC}/resource-quotas/metastore/${metastore}/model-version-quota`)).quota_info
        .quota_count;
    expect(await count()).toBe(versions.length);
    await jar.need('DELETE', `${UC}/models/${MODEL}`);
    await jar.kill();
    await jar.start();
    await jar.need('POST', '/_jar/clock/advance', { by: '1m' });
    expect(await count()).toBe(0);
  } finally {
    await jar.kill();
  }
});
