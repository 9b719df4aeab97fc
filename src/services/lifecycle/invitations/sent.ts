import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { eq } from '../../../kernel/store/index.ts';
import { accessOf, userOf } from '../access/access.ts';
import { orgRoleOf, tokenStandingOf } from '../access/standing.ts';
import { OrgView, orgView } from '../accounts/views.ts';
import { AppView, appView } from '../apps/shape.ts';
import { apps, orgs } from '../collections.ts';
import { routeCode } from '../jar.ts';
import { pendingBy } from './pending.ts';

const SentView = Type.Object({
  invitation_id: Type.String(),
  organization: Type.Optional(OrgView),
  app: Type.Optional(AppView),
});

export const listSentInvitations = routeCode([], {
  responses: { 200: Type.Array(SentView) },
  async handle(call) {
    const { jar } = call;
    const { store } = jar;
    const sent = [];
    for (const { id, appId, orgId } of await pendingBy(store, jar, eq('invitedBy', userOf(call).id))) {
      const app = appId === undefined ? undefined : (await store.cached(apps, appId))?.value;
      const org = orgId === undefined ? undefined : (await store.cached(orgs, orgId))?.value;
      const standing = app && (await tokenStandingOf(store, app, accessOf(call).token));
      const orgRole = org && (await orgRoleOf(store, org, userOf(call).id));
      // If the user can no longer see the target, only the fact that they sent an invitation is shown.
      sent.push({
        invitation_id: id,
        ...(org && orgRole && { organization: orgView(org, call) }),
        ...(app && standing && { app: await appView(call, { app, standing }) }),
      });
    }
    return ok(sent);
  },
});
