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
    name: { ...Text, ignoreCase: true, read: ({ name }: Named) => name },
    email: { ...Text, field: 'email', ignoreCase: true },
    role: Text,
    invited_by: { ...Text, ignoreCase: true, read: ({ inviter }: Named) => inviter },
    created_at: { ...Instant, read: ({ createdAt }: Invitation) => createdAt },
    expires_at: { ...Instant, read: ({ expiresAt }: Invitation) => expiresAt },
  },
  scan: 'bounded',
});

const InvitationView = Type.Object({
  invitation_token: Type.String(),
  to: Type.Enum(['app', 'org']),
  /** `owner/app`, or the organization's name. */
  name: Type.String(),
  email: Type.String(),
  role: Type.String(),
  /** Missing if the account was deleted. */
  invited_by: Type.Optional(Type.String()),
  created_at: Type.String(),
  expires_at: Type.String(),
});

/** An invitation with the names of its target and inviter, both of which can change. */
type Named = Invitation & { readonly name: string; readonly inviter?: string };

async function named(store: Store, invitation: Invitation): Promise<Named> {
  const inviter = await findUser(store, invitation.invitedBy);
  return { ...invitation, name: await nameOf(store, invitation), ...(inviter && { inviter: inviter.name }) };
}

async function view(store: Store, invitation: Invitation) {
  const { id, email, role, name, inviter, createdAt, expiresAt } = await named(store, invitation);
  return {
    invitation_token: id,
    to: kindOf(invitation),
    name,
    email,
    role,
    ...(inviter !== undefined && { invited_by: inviter }),
    created_at: createdAt,
    expires_at: expiresAt,
  };
}

function kindOf({ appId }: Invitation): 'app' | 'org' {
  return appId === undefined ? 'org' : 'app';
}

/** Empty if the target was deleted meanwhile. */
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
    const { store } = call.jar;
    return listAnswer(call, {
      shape,
      order: [{ field: 'createdAt' }],
      ...(email !== undefined && { filter: eq('email', email.toLowerCase()) }),
      seen: ({ value }) => named(store, value),
      view: ({ value }) => view(store, value),
    });
  },
});
