import type { Operation } from '../../operation.ts';
import { trackingRow } from '../row.ts';
import { searchExperiments } from './experiments-search.ts';
import { searchRuns } from './runs-search.ts';

export const SEARCH_OPERATIONS: readonly Operation[] = [
  trackingRow(
    'POST',
    'experiments/search',
    'experiments_search',
    'Experiments: find them by a filter',
    searchExperiments,
  ),
  trackingRow('GET', 'experiments/search', 'experiments_find', 'Experiments: find them by a filter', searchExperiments),
  trackingRow('POST', 'runs/search', 'trackedRuns_search', 'Tracked runs: find them by a filter', searchRuns, {
    safe: true,
  }),
];
