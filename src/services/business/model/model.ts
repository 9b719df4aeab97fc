import { V1 } from './pages/v1/index.ts';
import { V2 } from './pages/v2/index.ts';
import { ALL_TABLES } from './tables/index.ts';
import type { Api, Model, Table } from './types.ts';

/** A model of APIs and tables, with its lookups prepared. */
export function modelOf(apis: readonly Api[], tables: readonly Table[]): Model {
  const tablesByName = new Map(tables.map((table) => [table.name, table]));
  const apisByRoute = new Map(apis.map((api) => [api.route.toLowerCase(), api]));
  const pagesBySet = new Map(
    apis.map((api) => [api, new Map(api.pages.map((page) => [page.set.toLowerCase(), page]))] as const),
  );
  const pagesByTable = Map.groupBy(
    apis.flatMap((api) => api.pages.map((page) => ({ api, page }))),
    ({ page }) => page.table,
  );
  const lines = Map.groupBy(
    tables.flatMap(({ name, partOf }) => (partOf ? [{ of: partOf.table, table: name, by: partOf.by }] : [])),
    ({ of }) => of,
  );
  return {
    apis,
    table: (name) => {
      const table = tablesByName.get(name);
      if (!table) throw new Error(`the model has no table "${name}"`);
      return table;
    },
    api: (route) => apisByRoute.get(route.toLowerCase()),
    page: (api, set) => pagesBySet.get(api)?.get(set.toLowerCase()),
    linesOf: (table) => lines.get(table) ?? [],
    pagesOf: (table) => pagesByTable.get(table) ?? [],
  };
}

export const STANDARD_APIS: readonly Api[] = [V1, V2];

/** The model of a jar without custom APIs. */
export const standardModel: Model = modelOf(STANDARD_APIS, ALL_TABLES);
