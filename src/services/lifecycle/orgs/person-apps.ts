import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { accessOf, orgOf } from '../access/access.ts';
import { AppView, appViews } from '../apps/shape.ts';
import { inOrderOf, ownerAppsVisibleTo } from '../apps/visible-apps.ts';
import { routeCode } from '../jar.ts';
import { findMember } from './people.ts';

/** The member's apps in the organization that the caller can see as well, with the caller's standing. */
export const listAppsOfPerson = routeCode(['user_name'], {
  responses: { 200: Type.Array(AppView) },
  async handle(call) {
    const { store } = call.jar;
    const { token } = accessOf(call);
    const org = orgOf(call);
    const { user } = await findMember(store, org, call.params.user_name);
    const ofPerson = await ownerAppsVisibleTo(store, org.id, { ...token, userId: user.id });
    const theirs = new Set(ofPerson.map(({ app }) => app.id));
    const ofCaller = await ownerAppsVisibleTo(store, org.id, token);
    const seen = ofCaller.filter(({ app }) => theirs.has(app.id));
    return ok(await appViews(call, inOrderOf(seen, 'display_name')));
  },
});
