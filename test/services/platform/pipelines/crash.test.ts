import { describe, expect, it, type TestContext } from 'vitest';
import { usePostgresDatabase } from '../../../support/use-postgres.ts';
import { MortalJar } from '../mortal-jar.ts';

const PIPELINES = '/api/2.0/pipelines';
const KILLS = process.env.CLOUDJAR_SOAK === '1' ? 10 : 2;
/** More than the limit of concurrent updates. */
const COUNT = 12;
const ROOM = 4;

/** Starts an update of each pipeline repeatedly until the jar dies. */
async function startUntilDeath(jar: MortalJar, ids: readonly string[], made: Set<string>): Promise<void> {
  for (let at = 0; ; at++) {
    const id = ids[at % ids.length] as string;
    const answer = await jar.send('POST', `${PIPELINES}/${id}/updates`, {});
    if (!answer) return;
    expect([200, 409], JSON.stringify(answer.body)).toContain(answer.status);
    if (answer.status === 200) made.add(`${id}/updates/${answer.body.update_id}`);
  }
}

async function advanceUntilDeath(jar: MortalJar): Promise<void> {
  while (await jar.send('POST', '/_jar/clock/advance', { by: '1s' })) {}
}

async function survives(context: TestContext, engine: 'sqlite' | 'postgres'): Promise<void> {
  const url = engine === 'postgres' ? await usePostgresDatabase(context, 'killed') : undefined;
  const jar = new MortalJar(['--clock', 'virtual', ...(url === undefined ? [] : ['--database-url', url])]);
  await jar.start();
  await jar.need('PATCH', '/_jar/limits', { name: 'platform.pipeline-updates', limit: ROOM });
  const ids: string[] = [];
  for (let i = 0; i < COUNT; i++) {
    const configuration = { cloudjar: `sleep ${i % 3}; [ $CLOUDJAR_ATTEMPT -ge ${i % 2} ]` };
    const serverless = i % 2 === 0;
    ids.push((await jar.need('POST', PIPELINES, { name: `p${i}`, serverless, configuration })).pipeline_id);
  }
  const made = new Set<string>();
  for (let kill = 0; kill < KILLS; kill++) {
    if (kill > 0) await jar.start();
    const before = made.size;
    const starting = startUntilDeath(jar, ids, made);
    const advancing = advanceUntilDeath(jar);
    await expect.poll(() => made.size - before, { interval: 1, timeout: 60_000 }).toBeGreaterThan(COUNT);
    await jar.kill();
    await starting;
    await advancing;
  }
  await jar.start();
  await jar.need('POST', '/_jar/clock/advance', { by: '1d' });
  for (const path of made) {
    const { update } = await jar.need('GET', `${PIPELINES}/${path}`);
    expect(['COMPLETED', 'FAILED'], JSON.stringify(update)).toContain(update.state);
  }
  for (const id of ids) expect(await jar.need('GET', `${PIPELINES}/${id}`)).toMatchObject({ state: 'IDLE' });
  for (const row of ['pipeline-updates', 'serverless']) {
    const { value } = await jar.need('GET', `/_jar/limits?name=platform.${row}`);
    expect((value[0].use as { used: number }[]).reduce((sum, each) => sum + each.used, 0)).toBe(0);
  }
}

describe('a jar that is killed while pipelines run', () => {
  it('ends every update that it acknowledged, and counts none twice, on SQLite', (context) =>
    survives(context, 'sqlite'));
  it('ends every update that it acknowledged, and counts none twice, on PostgreSQL', (context) =>
    survives(context, 'postgres'));
});
