import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { type Ask, good, person, withoutRates } from '../support.ts';
import { createModel, createVersion, getModel, ML, transition } from './support.ts';

const times = <T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));

onBothStores('data platform: many callers of the model registry at once', (bench) => {
  let ask: Ask;
  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
    await good(ask('GET', '/preview/scim/v2/Me'));
  });

  it('64 versions that are created at once have 64 different numbers', async () => {
    await createModel(ask, 'm');
    const made = await times(64, () => createVersion(ask, 'm'));
    const numbers = made.map(({ version }) => Number(version)).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 64 }, (_, n) => n + 1));
    expect((await getModel(ask, 'm')).latest_versions).toMatchObject([{ version: '64' }]);
  });

  it('of many creations of one name one succeeds, and so of many renames to one name', async () => {
    const create = (name: string) => ask('POST', `${ML}/registered-models/create`, { name });
    const statuses = (await times(16, () => create('same'))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400)).toHaveLength(15);
    await times(8, (n) => create(`model-${n}`));
    const renamed = await times(8, (n) =>
      ask('POST', `${ML}/registered-models/rename`, { name: `model-${n}`, new_name: 'target' }),
    );
    expect(renamed.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await good(ask('GET', `${ML}/registered-models/search`))).registered_models).toHaveLength(9);
  });

  it('models that swap names at once do not wait for each other, and no name is lost', async () => {
    await createModel(ask, 'a');
    await createModel(ask, 'b');
    const rename = (name: string, new_name: string) =>
      ask('POST', `${ML}/registered-models/rename`, { name, new_name });
    const statuses = (
      await times(12, (n) => (n % 2 ? rename('a', 'c') : n % 4 ? rename('c', 'a') : rename('b', 'a')))
    ).map(({ status }) => status);
    expect(statuses.every((status) => [200, 400, 404].includes(status))).toBe(true);
    expect((await good(ask('GET', `${ML}/registered-models/search`))).registered_models).toHaveLength(2);
  });

  it('transitions with archiving leave one version in the stage, whatever their order', async () => {
    await createModel(ask, 'm');
    await times(8, () => createVersion(ask, 'm'));
    await times(8, (n) => good(transition(ask, 'm', n + 1, 'Production', true)));
    const found = (await good(ask('GET', `${ML}/model-versions/search`))).model_versions;
    const stages = found.map((each: { current_stage: string }) => each.current_stage).sort();
    expect(stages).toEqual([...Array(7).fill('Archived'), 'Production']);
    const [production] = found.filter((each: { current_stage: string }) => each.current_stage === 'Production');
    const latest = (await getModel(ask, 'm')).latest_versions;
    expect(latest.find((each: { current_stage: string }) => each.current_stage === 'Production').version).toBe(
      production.version,
    );
  });

  it('of many equal transition requests one is open', async () => {
    await createModel(ask, 'm');
    await createVersion(ask, 'm');
    const about = { name: 'm', version: '1', stage: 'Staging' };
    const made = await times(8, () => ask('POST', `${ML}/transition-requests/create`, about));
    expect(made.filter(({ status }) => status === 200)).toHaveLength(1);
    const decide = (verb: string) =>
      ask('POST', `${ML}/transition-requests/${verb}`, { ...about, archive_existing_versions: false });
    const decided = await Promise.all([decide('approve'), decide('reject'), decide('approve'), decide('reject')]);
    expect(decided.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
  });
});
