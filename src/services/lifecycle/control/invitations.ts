import { Type } from 'typebox';
import { DEFAULT_TOP, nextOf, PAGE, placeOf } from '../../../kernel/http/control-paging.ts';
import { ok, routeCode } from '../../../kernel/http/route.ts';
import { type Invitation, invitations } from '../collections.ts';

const LIST = 'lifecycle invitations';

const InvitationView = Type.Object({
  invitation_token: Type.String(),
  to: Type.Enum(['app', 'org']),
  email: Type.String(),
  role: Type.String(),
  created_at: Type.String(),
  expires_at: Type.String(),
});

const view = ({ id, appId, email, role, createdAt, expiresAt }: Invitation) => ({
  invitation_token: id,
  to: appId === undefined ? 'org' : 'app',
  email,
  role,
  created_at: createdAt,
  expires_at: expiresAt,
});

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
      ...(email !== undefined && { filter: { op: 'eq', field: 'email', value: email.toLowerCase() } }),
    });
    return ok({ value: page.items.map(({ value }) => view(value)), ...nextOf(call, LIST, page.next) });
  },
});
