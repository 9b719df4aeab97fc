import { Type } from 'typebox';
import { DEFAULT_TOP, nextOf, PAGE, placeOf } from '../../../kernel/http/control-paging.ts';
import { ok, routeCode } from '../../../kernel/http/route.ts';
import { eq } from '../../../kernel/store/filters.ts';
import type { Store } from '../../../kernel/store/types.ts';
import { findOwnerAccount, findUser } from '../access/find.ts';
import { apps, type Invitation, invitations, orgs } from '../collections.ts';

const LIST = 'lifecycle invitations';

const InvitationView = Type.Object({
  invitation_token: Type.String(),
  to: Type.Enum(['app', 'org']),
  /** `owner/app`, or the name of the organization. */
  name: Type.String(),
  email: Type.String(),
  role: Type.String(),
  /** Not where the account is gone. */
  invited_by: Type.Optional(Type.String()),
  created_at: Type.String(),
  expires_at: Type.String(),
});

async function view(store: Store, invitation: Invitation) {
  const { id, appId, email, role, invitedBy, createdAt, expiresAt } = invitation;
  const inviter = await findUser(store, invitedBy);
  return {
    invitation_token: id,
    to: appId === undefined ? 'org' : 'app',
    name: await nameOf(store, invitation),
    email,
    role,
    ...(inviter && { invited_by: inviter.name }),
    created_at: createdAt,
    expires_at: expiresAt,
  };
}

/** What is deleted meanwhile has no name any more. */
async function nameOf(store: Store, { appId, orgId = '' }: Invitation): Promise<string> {
  if (appId === undefined) return (await store.cached(orgs, orgId))?.value.name ?? '';
  const app = (await store.cached(apps, appId))?.value;
  const owner = app && (await findOwnerAccount(store, app.owner));
  return app ? `${owner?.name ?? app.owner.id}/${app.name}` : '';
}

export const listInvitations = routeCode([], {
  query: Type.Object({ ...PAGE, email: Type.Optional(Type.String()) }, { additionalProperties: false }),
  responses: { 200: Type.Object({ value: Type.Array(InvitationView), nextLink: Type.Optional(Type.String()) }) },
  async handle(call) {
    const { jar, query } = call;
    const after = placeOf(jar, LIST, query.$skiptoken);
    const limit = query.$top ?? DEFAULT_TOP;
    const { email } = query;
    const page = await jar.store.query(invitations, {
      order: [{ field: 'createdAt' }],
      limit,
      ...(after && { after }),
      ...(email !== undefined && { filter: eq('email', email.toLowerCase()) }),
    });
    const value = await Promise.all(page.items.map((each) => view(jar.store, each.value)));
    return ok({ value, ...nextOf(call, LIST, page.next) });
  },
});
