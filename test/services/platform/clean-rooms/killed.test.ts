import { expect, it } from 'vitest';
import { MortalJar } from '../mortal-jar.ts';
import { notebook, UC } from './support.ts';

const API = '/api/2.0/clean-rooms';
const JOBS = '/api/2.2/jobs/runs';

const TABLE = '{"name":"found","columns":[{"name":"n","type_name":"LONG"}],"rows":[[1]]}';
const SOURCE = `# cloudjar: sleep 60; echo '::cloudjar::table ${TABLE}'`;

it('a room is set up, and a notebook runs to its end with its output, in a jar that is killed in between', {
  timeout: 240_000,
}, async () => {
  const jar = new MortalJar(['--clock', 'virtual']);
  await jar.start();
  const dies = async (): Promise<void> => {
    await jar.kill();
    await jar.start();
  };
  const advance = (by: string) => jar.need('POST', '/_jar/clock/advance', { by });
  try {
    const { global_metastore_id } = await jar.need('GET', `${UC}/metastore_summary`);
    const collaborators = [{ collaborator_alias: 'creator', global_metastore_id }];
    const remote_detailed_info = { cloud_vendor: 'azure', region: 'westus2', collaborators };
    await jar.need('POST', API, { name: 'overlap', remote_detailed_info });
    await dies();
    expect((await jar.need('GET', `${API}/overlap`)).status).toBe('PROVISIONING');
    await advance('5m');
    expect((await jar.need('GET', `${API}/overlap`)).status).toBe('ACTIVE');
    await jar.need('POST', `${API}/overlap/assets`, notebook(SOURCE));
    await jar.need('POST', `${API}/overlap/output-catalogs`, { catalog_name: 'results' });
    const task = { clean_room_name: 'overlap', notebook_name: 'count' };
    const run = async () =>
      (await jar.need('POST', `${JOBS}/submit`, { tasks: [{ task_key: 'a', clean_rooms_notebook_task: task }] }))
        .run_id;
    const ids: number[] = [];
    for (let index = 0; index < 12; index++) ids.push(await run());
    await dies();
    // The jar is killed while the first ten tasks end, and again while the others end.
    for (let life = 0; life < 2; life++) {
      const advancing = jar.send('POST', '/_jar/clock/advance', { by: '1m' });
      await jar.kill();
      await advancing;
      await jar.start();
      await advance('30s');
    }
    await advance('20m');
    const { runs } = await jar.need('GET', `${API}/overlap/runs`);
    expect(runs).toHaveLength(12);
    const schemas = new Set<string>();
    for (const each of runs) {
      expect(each.notebook_job_run_state).toEqual({ life_cycle_state: 'TERMINATED', result_state: 'SUCCESS' });
      schemas.add(each.output_schema_name);
    }
    expect(schemas.size).toBe(12);
    const listed = await jar.need('GET', `${UC}/schemas?catalog_name=results`);
    expect(listed.schemas).toHaveLength(14);
    for (const schema of schemas) {
      const { tables } = await jar.need('GET', `${UC}/tables?catalog_name=results&schema_name=${schema}`);
      expect(tables.map(({ name }: { name: string }) => name)).toEqual(['found']);
    }
    // All slots are free again.
    const next = await run();
    const { state } = await jar.need('GET', `${JOBS}/get?run_id=${next}`);
    expect(state.life_cycle_state).toBe('RUNNING');
  } finally {
    await jar.kill();
  }
});
