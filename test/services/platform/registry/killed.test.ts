import { expect, it, type TestContext } from 'vitest';
import { startReceiver } from '../../../kernel/delivery/receivers.ts';
import { usePostgresDatabase } from '../../../support/use-postgres.ts';
import { JOBS, task } from '../jobs/support.ts';
import { MortalJar } from '../mortal-jar.ts';

const SOAK = process.env.CLOUDJAR_SOAK === '1';
const KILLS = SOAK ? 10 : 2;
/** Number of versions that are acknowledged before the kill, which happens during further requests. */
const VERSIONS = 10;

const ML = '/api/2.0/mlflow';

async function survives(context: TestContext, engine: 'sqlite' | 'postgres'): Promise<void> {
  const receiver = await startReceiver();
  const url = engine === 'postgres' ? await usePostgresDatabase(context, 'killed_registry') : undefined;
  const database = url === undefined ? [] : ['--database-url', url];
  const jar = new MortalJar(['--clock', 'virtual', '--allow-http-loopback', ...database]);
  try {
    await jar.start();
    const { value: rates } = await jar.need('GET', '/_jar/limits?name=platform.rate.*&use=0&$top=1000');
    const unlimited = (rates as { name: string }[]).map(({ name }) => ({ name, mode: 'unlimited' }));
    await jar.need('PATCH', '/_jar/limits', unlimited);
    const { job_id } = await jar.need('POST', `${JOBS}/create`, {
      name: 'on version',
      max_concurrent_runs: 1000,
      tasks: [task('a', 'true')],
    });
    const { token_value: access_token } = await jar.need('POST', '/api/2.0/token/create', {});
    await jar.need('POST', `${ML}/registered-models/create`, { name: 'm' });
    const events = ['MODEL_VERSION_CREATED'];
    for (const spec of [
      { http_url_spec: { url: receiver.url, secret: 's' } },
      { job_spec: { job_id: String(job_id), access_token } },
    ])
      await jar.need('POST', `${ML}/registry-webhooks/create`, { events, model_name: 'm', ...spec });

    const acknowledged: string[] = [];
    const createUntilDeath = async (): Promise<void> => {
      for (;;) {
        const answer = await jar.send('POST', `${ML}/model-versions/create`, { name: 'm', source: 'runs:/x/m' });
        if (!answer) return;
        expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
        acknowledged.push(answer.body.model_version.version);
      }
    };
    for (let kill = 0; kill < KILLS; kill++) {
      if (kill > 0) await jar.start();
      const before = acknowledged.length;
      const creating = createUntilDeath();
      await expect.poll(() => acknowledged.length - before, { interval: 1, timeout: 60_000 }).toBeGreaterThan(VERSIONS);
      await jar.kill();
      await creating;
    }
    await jar.start();
    await jar.need('POST', '/_jar/clock/advance', { by: '1h' });

    const { model_versions: found } = await jar.need('GET', `${ML}/model-versions/search?order_by=version_number`);
    const there = (found as { version: string; status: string }[]).map(({ version }) => version);
    // Numbers have no gaps and no duplicates, and no acknowledged version is missing.
    expect(there).toEqual(Array.from({ length: there.length }, (_, index) => String(index + 1)));
    expect(there).toEqual(expect.arrayContaining(acknowledged));
    expect(new Set((found as { status: string }[]).map(({ status }) => status))).toEqual(new Set(['READY']));
    // Exactly the existing versions were announced.
    const announced = new Set(receiver.bodies().map((body) => JSON.parse(body).version));
    expect([...announced].sort()).toEqual([...there].sort());
    // Each version started one run, however often its message was sent.
    const runs = [];
    for (let page_token = ''; ; ) {
      const page = await jar.need('GET', `${JOBS}/runs/list?job_id=${job_id}&page_token=${page_token}`);
      runs.push(...(page.runs ?? []));
      page_token = page.next_page_token ?? '';
      if (page_token === '') break;
    }
    expect(runs).toHaveLength(there.length);
  } finally {
    await jar.kill();
    await receiver.close();
  }
}

it.for(SOAK ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const))(
  '%s: a registry that is killed again and again announces every version that is there, and begins one run for each',
  { timeout: 300_000 },
  (engine, context) => survives(context, engine),
);
