import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { findDataset } from '../access/find.ts';
import { contextOf } from '../context.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';

/** Rows are pushed into a dataset of this service, so it was never refreshed. */
export const listRefreshes = routeCode(['dataset'], {
  query: Type.Object({ $top: Type.Optional(Type.Integer({ minimum: 1 })) }),
  responses: { 200: Type.Object({ value: Type.Array(Type.Unknown()) }) },
  async handle(call) {
    const { id } = await findDataset(call, call.params.dataset);
    return ok({ ...contextOf(call, `datasets(${id})/refreshes`), value: [] });
  },
});

/** There is nothing that a push dataset could be refreshed from, now or by a schedule. */
export const refuseRefresh = routeCode(['dataset'], {
  async handle(call) {
    await findDataset(call, call.params.dataset);
    throw errors.InvalidRequest__NotRefreshable();
  },
});
