import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { readAll } from '../../../kernel/store/index.ts';
import { tableStates } from '../collections.ts';
import { routeCode } from '../jar.ts';
import { TableView, tableView } from '../tables/view.ts';
import { findAnyDataset } from './find.ts';

const CountedTable = Type.Object({ ...TableView.properties, rows: Type.Integer(), pushedRows: Type.Integer() });

/** The tables of a dataset with their columns and row counts. */
export const getSchema = routeCode(['dataset'], {
  responses: { 200: Type.Object({ id: Type.String(), name: Type.String(), tables: Type.Array(CountedTable) }) },
  async handle({ jar, params }) {
    const { id, name, tables } = await findAnyDataset(jar, params.dataset);
    const found = await readAll(jar.store, tableStates, { prefix: `${id}/` });
    const states = new Map(found.map(({ value }) => [value.storage, value]));
    const counted = tables.map((table) => {
      const { rows = 0, pushed = { rows: 0 } } = states.get(table.storage) ?? {};
      return { ...tableView(table), rows, pushedRows: pushed.rows };
    });
    return ok({ id, name, tables: counted });
  },
});
