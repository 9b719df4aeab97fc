import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { findDataset } from '../access/find.ts';
import { contextOf } from '../context.ts';
import { routeCode } from '../jar.ts';
import { TableView, tableView } from './view.ts';

export const listTables = routeCode(['dataset'], {
  responses: { 200: Type.Object({ value: Type.Array(TableView) }) },
  async handle(call) {
    const { id, tables } = await findDataset(call, call.params.dataset);
    return ok({ ...contextOf(call, `datasets('${id}')/tables`), value: tables.map(tableView) });
  },
});
