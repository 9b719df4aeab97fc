import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { accessOf, orgOf } from '../access/access.ts';
import { routeCode } from '../jar.ts';
import { AppView, appViews } from './shape.ts';
import { appsVisibleTo, inOrderOf, ownerAppsVisibleTo } from './visible-apps.ts';

const query = Type.Object({ $orderBy: Type.Optional(Type.Enum(['display_name', 'name'])) });
const responses = { 200: Type.Array(AppView) };

export const listApps = routeCode([], {
  query,
  responses,
  async handle(call) {
    const seen = await appsVisibleTo(call.jar.store, accessOf(call).token);
    return ok(await appViews(call, inOrderOf(seen, call.query.$orderBy ?? 'display_name')));
  },
});

export const listOrgApps = routeCode([], {
  query,
  responses,
  async handle(call) {
    const seen = await ownerAppsVisibleTo(call.jar.store, orgOf(call).id, accessOf(call).token);
    return ok(await appViews(call, inOrderOf(seen, call.query.$orderBy ?? 'display_name')));
  },
});
