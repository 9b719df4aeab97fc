import { expect, it, type TestContext } from 'vitest';
import { usePostgresDatabase } from '../../../support/use-postgres.ts';
import { MortalJar } from '../mortal-jar.ts';
import { PLAIN } from './support.ts';

/** Each cluster is in another transition when the jar is killed. */
const VERBS = ['resize', 'delete', 'restart', 'edit'] as const;

async function survives(context: TestContext, engine: 'sqlite' | 'postgres'): Promise<void> {
  const url = engine === 'postgres' ? await usePostgresDatabase(context, 'mortal') : undefined;
  const jar = new MortalJar(['--clock', 'virtual', ...(url === undefined ? [] : ['--database-url', url])]);
  await jar.start();
  const post = (verb: string, body: object) => jar.need('POST', `/api/2.1/clusters/${verb}`, body);
  const advance = (by: string) => jar.need('POST', '/_jar/clock/advance', { by });
  const ids = new Map<string, string>();
  for (const verb of VERBS) ids.set(verb, (await post('create', PLAIN)).cluster_id);
  const { id: warehouse } = await jar.need('POST', '/api/2.0/sql/warehouses', { name: 'w' });
  await advance('5m');
  for (const [verb, cluster_id] of ids)
    await post(verb, {
      cluster_id,
      ...(verb === 'resize' && { num_workers: 5 }),
      ...(verb === 'edit' && { ...PLAIN, num_workers: 3 }),
    });
  await jar.need('POST', `/api/2.0/sql/warehouses/${warehouse}/stop`);
  const seen = async () => {
    const states: Record<string, string> = {};
    for (const [verb, id] of ids) {
      const { state, num_workers } = await jar.need('GET', `/api/2.1/clusters/get?cluster_id=${id}`);
      states[verb] = `${state} ${num_workers}`;
    }
    states.warehouse = (await jar.need('GET', `/api/2.0/sql/warehouses/${warehouse}`)).state;
    return states;
  };
  const before = await seen();
  expect(before).toEqual({
    resize: 'RESIZING 5',
    delete: 'TERMINATING 2',
    restart: 'RESTARTING 2',
    edit: 'RESTARTING 3',
    warehouse: 'STOPPING',
  });
  await jar.kill();
  await jar.start();
  expect(await seen()).toEqual(before);
  // The jar is killed while the transitions end.
  const advancing = jar.send('POST', '/_jar/clock/advance', { by: '3m' });
  await jar.kill();
  await advancing;
  await jar.start();
  await advance('3m');
  expect(await seen()).toEqual({
    resize: 'RUNNING 5',
    delete: 'TERMINATED 2',
    restart: 'RUNNING 2',
    edit: 'RUNNING 3',
    warehouse: 'STOPPED',
  });
  const { events } = await post('events', { cluster_id: ids.get('resize'), order: 'ASC' });
  expect(events.map(({ type }: { type: string }) => type)).toEqual([
    'CREATING',
    'RUNNING',
    'DRIVER_HEALTHY',
    'RESIZING',
    'UPSIZE_COMPLETED',
  ]);
  await jar.kill();
}

it('transitions of clusters and warehouses go on after a kill, on SQLite', (context) => survives(context, 'sqlite'));

it('transitions of clusters and warehouses go on after a kill, on PostgreSQL', (context) =>
  survives(context, 'postgres'));
