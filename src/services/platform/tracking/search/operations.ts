import type { Operation } from '../../operation.ts';
import { trackingRow } from '../operations.ts';
import { searchRuns } from './runs-search.ts';

export const SEARCH_OPERATIONS: readonly Operation[] = [
  trackingRow('POST', 'runs/search', 'trackedRuns_search', 'Finds runs by a filter', searchRuns),
];
