import { type Route, routeOf } from '../../../kernel/http/index.ts';
import { bulkRoutes } from './bulk-routes.ts';
import { getStats, listStats } from './list.ts';
import { streamRows } from './live.ts';

/** Datasets of all tenants and users, for the jar's administrator. */
export const datasetsControl: readonly Route[] = [
  routeOf(
    {
      method: 'GET',
      path: '/_jar/datasets',
      operation: 'Jar_ListDatasets',
      summary: 'The datasets of all workspaces: rows of their tables, bytes pushed, and use of their limits',
    },
    listStats,
  ),
  routeOf(
    {
      method: 'GET',
      path: '/_jar/datasets/{dataset}',
      operation: 'Jar_GetDataset',
      summary: 'One dataset: rows of its tables, bytes pushed, and the use of its limits',
    },
    getStats,
  ),
  routeOf(
    {
      method: 'GET',
      path: '/_jar/datasets/{dataset}/live',
      operation: 'Jar_StreamDatasetRows',
      summary:
        'Rows of a streaming dataset as they are pushed, as server-sent events: from now on, from the start, or after Last-Event-ID',
      produces: 'text/event-stream',
    },
    streamRows,
  ),
  ...bulkRoutes,
];
