import { Type } from 'typebox';
import { entityShape, listAnswer, listOf, listQuery } from '../../../kernel/odata/index.ts';
import { eq, type Store } from '../../../kernel/store/index.ts';
import { findOwnerAccount, findUser } from '../access/find.ts';
import { apps, type Invitation, invitations, orgs } from '../collections.ts';
import { routeCode } from '../jar.ts';

const Text = { type: 'Edm.String' } as const;
const Instant = { type: 'Edm.DateTimeOffset' } as const;

const shape = entityShape({
  name: 'invitations',
  collection: invitations,
  properties: {
    invitation_token: { ...Text, field: 'key', read: ({ id }: Invitation) => id },
    to: { ...Text, read: kindOf },
    email: { ...Text, field: 'email', ignoreCase: true },
    role: Text,
    created_at: { ...Instant, read: ({ createdAt }: Invitation) => createdAt },
    expires_at: { ...Instant, read: ({ expiresAt }: Invitation) => expiresAt },
  },
  scan: 'bounded',
});

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
  const { id, email, role, invitedBy, createdAt, expiresAt } = invitation;
  const inviter = await findUser(store, invitedBy);
  return {
    invitation_token: id,
    to: kindOf(invitation),
    name: await nameOf(store, invitation),
    email,
    role,
    ...(inviter && { invited_by: inviter.name }),
    created_at: createdAt,
    expires_at: expiresAt,
  };
}

function kindOf({ appId }: Invitation): 'app' | 'org' {
  return appId === undefined ? 'org' : 'app';
}

/** What is deleted meanwhile has no name any more. */
async function nameOf(store: Store, { appId, orgId = '' }: Invitation): Promise<string> {
  if (appId === undefined) return (await store.cached(orgs, orgId))?.value.name ?? '';
  const app = (await store.cached(apps, appId))?.value;
  const owner = app && (await findOwnerAccount(store, app.owner));
  return app ? `${owner?.name ?? app.owner.id}/${app.name}` : '';
}

export const listInvitations = routeCode([], {
  query: listQuery(shape, { email: Type.Optional(Type.String()) }),
  responses: { 200: listOf(InvitationView) },
  handle(call) {
    const { email } = call.query;
    return listAnswer(call, {
      shape,
      order: [{ field: 'createdAt' }],
      ...(email !== undefined && { filter: eq('email', email.toLowerCase()) }),
      view: ({ value }) => view(call.jar.store, value),
    });
  },
});
