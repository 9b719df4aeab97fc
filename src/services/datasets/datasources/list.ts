import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { findDataset } from '../access/find.ts';
import { contextOf } from '../context.ts';
import { routeCode } from '../jar.ts';
import type { Datasource } from '../model/types.ts';

const DatasourceView = Type.Object({
  datasourceType: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  connectionString: Type.Optional(Type.String()),
  connectionDetails: Type.Record(Type.String(), Type.String()),
  datasourceId: Type.String(),
  gatewayId: Type.String(),
});

export const listDatasources = routeCode(['dataset'], {
  responses: { 200: Type.Object({ value: Type.Array(DatasourceView) }) },
  async handle(call) {
    const { id, datasources } = await findDataset(call, call.params.dataset);
    return ok({ ...contextOf(call, `datasets(${id})/datasources`), value: datasources.map(datasourceView) });
  },
});

/** A datasource without a gateway has empty ids. */
export const datasourceView = ({ connectionDetails = {}, datasourceId = '', gatewayId = '', ...rest }: Datasource) => ({
  ...rest,
  connectionDetails,
  datasourceId,
  gatewayId,
});
