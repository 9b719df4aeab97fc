import type { Service } from '../../kernel/service/index.ts';
import { ANALYTICS_AUDIENCES } from './access/audiences.ts';
import { datasets, tableStates, workspaces } from './collections.ts';
import { DATASETS_FAMILY } from './family.ts';
import { DATASETS_LIMITS } from './limits.ts';
import { datasetsSeed } from './seed/section.ts';
import { DATASETS_SETTINGS } from './settings-table.ts';
import { EXPIRE_ROWS, FINISH_CREATION, PURGE_WORKSPACE } from './work.ts';

/** Push datasets in workspaces, and queries over them. */
export const DATASETS: Service = {
  name: 'datasets',
  title: 'Push datasets',
  family: DATASETS_FAMILY,
  mounts: ['/v1.0/myorg', '/v1.0/collections'],
  collections: [workspaces, datasets, tableStates],
  limits: DATASETS_LIMITS,
  work: [PURGE_WORKSPACE, FINISH_CREATION, EXPIRE_ROWS],
  seed: datasetsSeed,
  settings: {
    changeable: DATASETS_SETTINGS,
    load: async () => (await import('./settings-schema.ts')).settingsRules,
  },
  audiences: ANALYTICS_AUDIENCES,
  open: async (jar) => (await import('./open.ts')).openDatasets(jar),
};
