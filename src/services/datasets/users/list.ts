import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { findDataset } from '../access/find.ts';
import { placeIn } from '../access/place.ts';
import { contextOf } from '../context.ts';
import { routeCode } from '../jar.ts';
import { effectiveUsers } from './effective.ts';
import { PRINCIPAL_VIEW, principalView } from './view.ts';

const UserView = Type.Object({ datasetUserAccessRight: Type.String(), ...PRINCIPAL_VIEW });

export const listDatasetUsers = routeCode(['dataset'], {
  responses: { 200: Type.Object({ value: Type.Array(UserView) }) },
  async handle(call) {
    const dataset = await findDataset(call, call.params.dataset);
    const value = effectiveUsers(dataset, placeIn(call).workspace).map(({ principal, right }) => ({
      datasetUserAccessRight: right,
      ...principalView(principal),
    }));
    return ok({ ...contextOf(call, `datasets(${dataset.id})/users`), value });
  },
});
