import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { accessOf, orgOf } from '../access/access.ts';
import { routeCode } from '../jar.ts';
import { appsOfOwnerSeenBy, appsSeenBy, inOrderOf } from './seen.ts';
import { AppView, appViews } from './shape.ts';

const query = Type.Object({ $orderBy: Type.Optional(Type.Enum(['display_name', 'name'])) });
const responses = { 200: Type.Array(AppView) };

export const listApps = routeCode([], {
  query,
  responses,
  async handle(call) {
    const seen = await appsSeenBy(call.jar.store, accessOf(call).token);
    return ok(await appViews(call, inOrderOf(seen, call.query.$orderBy ?? 'display_name')));
  },
});

export const listOrgApps = routeCode([], {
  query,
  responses,
  async handle(call) {
    const seen = await appsOfOwnerSeenBy(call.jar.store, orgOf(call).id, accessOf(call).token);
    return ok(await appViews(call, inOrderOf(seen, call.query.$orderBy ?? 'display_name')));
  },
});
