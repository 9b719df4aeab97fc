import { addressOf } from '../../shared/address.ts';
import type { Palette, PaletteEntry } from '../../shared/page.ts';
import { type Platform, platformIn } from './api.ts';
import { type ExperimentPage, MLFLOW } from './experiments/api.ts';
import { type JobPage, jobName } from './jobs/api.ts';
import type { ModelPage } from './registry/api.ts';
import type { RunRow } from './runs/api.ts';

const MOST = 5;

const section = (title: string, id: string, query = '') => ({
  title,
  kind: 'Data platform',
  address: addressOf('platform', id) + query,
});

export const palette: Palette = {
  actions: [
    section('Active runs of jobs', 'runs', '?show=active'),
    section('Experiments', 'experiments'),
    section('Files and notebooks of the workspace', 'workspace'),
    section('Tables and volumes of the catalog', 'catalog'),
    section('Secret scopes', 'secrets'),
    section('Create a secret scope', 'secrets', '?new=scope'),
    section('Clusters and warehouses', 'compute'),
    section('Limits of the data platform', 'limits'),
  ],
  async search(text, signal) {
    const platform = platformIn(undefined);
    const found = await Promise.all([
      jobs(platform, text, signal),
      run(platform, text, signal),
      experiments(platform, text, signal),
      models(platform, text, signal),
    ]);
    return found.flat();
  },
};

type Search = (platform: Platform, text: string, signal: AbortSignal) => Promise<readonly PaletteEntry[]>;

const jobs: Search = async (platform, text, signal) => {
  const { jobs: all = [] } = await platform.get<JobPage>('/api/2.2/jobs/list', { limit: 100 }, signal);
  return all
    .filter((job) => `${jobName(job)} ${job.job_id}`.toLowerCase().includes(text))
    .slice(0, MOST)
    .map((job) => ({
      title: jobName(job),
      kind: 'Job',
      address: addressOf('platform', 'jobs', String(job.job_id)),
    }));
};

/** Runs are found by their id, which logs and errors contain. */
const run: Search = async (platform, text, signal) => {
  if (!/^\d{10,}$/.test(text)) return [];
  const found = await platform
    .get<RunRow>('/api/2.2/jobs/runs/get', { run_id: text }, signal)
    .catch((): undefined => undefined);
  if (!found) return [];
  return [{ title: found.run_name, kind: 'Run', address: addressOf('platform', 'runs', String(found.run_id)) }];
};

const like = (text: string): string => `name ILIKE '%${text.replaceAll("'", '_')}%'`;

const experiments: Search = async (platform, text, signal) => {
  const query = { filter: like(text), max_results: MOST };
  const page = await platform.get<ExperimentPage>(`${MLFLOW}/experiments/search`, query, signal);
  return (page.experiments ?? []).map(({ name, experiment_id }) => ({
    title: name,
    kind: 'Experiment',
    address: addressOf('platform', 'experiments', experiment_id),
  }));
};

const models: Search = async (platform, text, signal) => {
  const query = { filter: like(text), max_results: MOST };
  const page = await platform.get<ModelPage>(`${MLFLOW}/registered-models/search`, query, signal);
  return (page.registered_models ?? []).map(({ name }) => ({
    title: name,
    kind: 'Model',
    address: addressOf('platform', 'registry', name),
  }));
};
