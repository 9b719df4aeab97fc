import type { Bench } from '../../../support/jars.ts';
import { type Ask, good, person, withoutRates } from '../support.ts';

export const UC = '/api/2.1/unity-catalog';
export const ROOMS = '/clean-rooms';

/** Two organisations, each with its own account, workspace and metastore, and an administrator. */
export interface Parties {
  readonly ask: Ask;
  readonly partner: Ask;
  /** The global ids of their metastores. */
  readonly own: string;
  readonly theirs: string;
}

const globalId = async (ask: Ask): Promise<string> =>
  (await good(ask('GET', `${UC}/metastore_summary`))).global_metastore_id;

/** In an empty jar without rate limits. */
export async function parties(bench: Bench): Promise<Parties> {
  await bench.jar.reset();
  await withoutRates(bench);
  const ask = await person(bench);
  const partner = await person(bench, 'other');
  return { ask, partner, own: await globalId(ask), theirs: await globalId(partner) };
}

/** The body that creates a clean room of both parties. */
export const roomOf = ({ own, theirs }: Pick<Parties, 'own' | 'theirs'>, name = 'overlap') => ({
  name,
  comment: 'Who are our common customers?',
  remote_detailed_info: {
    cloud_vendor: 'azure',
    region: 'westus2',
    collaborators: [
      { collaborator_alias: 'creator', global_metastore_id: own },
      { collaborator_alias: 'partner', global_metastore_id: theirs },
    ],
  },
});

/** Creates a clean room and completes its setup. */
export async function activeRoom(bench: Bench, all: Parties, name = 'overlap'): Promise<void> {
  await good(all.ask('POST', ROOMS, roomOf(all, name)));
  await bench.jar.clock.advance('5m');
}

export const base64 = (text: string): string => Buffer.from(text).toString('base64');

export const notebook = (text: string, more: object = {}, name = 'count') => ({
  name,
  asset_type: 'NOTEBOOK_FILE',
  notebook: { notebook_content: base64(text), ...more },
});

/** Adds a notebook of the creator and lets the partner approve it. Returns its etag. */
export async function approvedNotebook({ ask, partner }: Parties, text: string, name = 'count'): Promise<string> {
  const { notebook: made } = await good(ask('POST', `${ROOMS}/overlap/assets`, notebook(text, {}, name)));
  await good(review(partner, made.etag, 'APPROVED', name));
  return made.etag;
}

export const review = (ask: Ask, etag: string, review_state: string, name = 'count') =>
  ask('POST', `${ROOMS}/overlap/assets/NOTEBOOK_FILE/${name}/reviews`, { notebook_review: { etag, review_state } });

/** Runs a notebook in a job of the given caller. */
export const submit = async (ask: Ask, task: object = {}, more: object = {}): Promise<number> => {
  const settings = { clean_room_name: 'overlap', notebook_name: 'count', ...task };
  const tasks = [{ task_key: 'only', clean_rooms_notebook_task: settings, ...more }];
  return (await good(ask('POST', '/api/2.2/jobs/runs/submit', { run_name: 'count', tasks }))).run_id;
};

/** State of a run: `RUNNING`, or its result, and the message. */
export async function stateOf(ask: Ask, run: number): Promise<readonly [state: string, message: string]> {
  const { tasks } = await good(ask('GET', `/api/2.2/jobs/runs/get?run_id=${run}`));
  const { state } = tasks[0];
  return [state.result_state ?? state.life_cycle_state, state.state_message];
}

export const outputOf = async (ask: Ask, run: number) =>
  good(ask('GET', `/api/2.2/jobs/runs/get-output?run_id=${run}`));

export const TABLE = {
  catalog_name: 'main',
  schema_name: 'default',
  name: 'customers',
  table_type: 'EXTERNAL',
  data_source_format: 'DELTA',
  storage_location: 'abfss://lake@vendor.example/customers',
  columns: [
    { name: 'id', type_name: 'LONG' },
    { name: 'email', type_name: 'STRING' },
  ],
};

export const customers = (ask: Ask) => good(ask('POST', `${UC}/tables`, TABLE));

export const tableAsset = (name = 'creator.default.customers', local_name = 'main.default.customers') => ({
  name,
  asset_type: 'TABLE',
  table_local_details: { local_name },
});
