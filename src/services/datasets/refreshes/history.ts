import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { findDataset } from '../access/find.ts';
import { contextOf } from '../context.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';

/** A push dataset is never refreshed, so the list is empty. */
export const listRefreshes = routeCode(['dataset'], {
  query: Type.Object({ $top: Type.Optional(Type.Integer({ minimum: 1 })) }),
  responses: { 200: Type.Object({ value: Type.Array(Type.Unknown()) }) },
  async handle(call) {
    const { id } = await findDataset(call, call.params.dataset);
    return ok({ ...contextOf(call, `datasets(${id})/refreshes`), value: [] });
  },
});

/** A push dataset has no source to refresh from, neither on request nor by schedule. */
export const refuseRefresh = routeCode(['dataset'], {
  async handle(call) {
    await findDataset(call, call.params.dataset);
    throw errors.InvalidRequest__NotRefreshable();
  },
});
