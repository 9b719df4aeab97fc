import { expect, it } from 'vitest';
import { MortalJar } from '../../mortal-jar.ts';
import { JOBS, task } from '../support.ts';

const UC = '/api/2.1/unity-catalog';
const ML = '/api/2.0/mlflow/unity-catalog/model-versions';

it('a change that was answered starts one run, by a jar that is killed between the change and the run', {
  timeout: 120_000,
}, async () => {
  const jar = new MortalJar(['--clock', 'virtual']);
  await jar.start();
  try {
    const name = 'main.default.churn';
    await jar.need('POST', `${UC}/models`, { catalog_name: 'main', schema_name: 'default', name: 'churn' });
    await jar.need('POST', `${ML}/create`, { name, source: 's' });
    const trigger = { model: { condition: 'MODEL_ALIAS_SET', securable_name: name } };
    const { job_id } = await jar.need('POST', `${JOBS}/create`, { tasks: [task('a', 'true')], trigger });
    const runs = async () => (await jar.need('GET', `${JOBS}/runs/list?job_id=${job_id}`)).runs?.length ?? 0;
    for (let life = 1; life <= 2; life++) {
      await jar.need('PUT', `${UC}/models/${name}/aliases/champion`, { version_num: 1 });
      await jar.kill();
      await jar.start();
      const killedAgain = jar.send('POST', '/_jar/clock/advance', { by: '2m' });
      if (life === 2) await jar.kill();
      await killedAgain;
      if (life === 2) await jar.start();
      await jar.need('POST', '/_jar/clock/advance', { by: '5m' });
      expect(await runs()).toBe(life);
    }
  } finally {
    await jar.kill();
  }
});
