import { Type } from 'typebox';
import { LONGEST_DISPLAY_NAME } from '../accounts/names.ts';
import { ORIGIN } from '../accounts/views.ts';
import type { Org, OrgMember, User } from '../collections.ts';
import { ORG_ROLES } from '../roles.ts';

export const DisplayName = Type.String({ minLength: 1, maxLength: LONGEST_DISPLAY_NAME });

export const ListedOrg = Type.Object({ display_name: Type.String(), name: Type.String(), origin: Type.String() });

export const listedOrg = ({ displayName, name }: Org) => ({ display_name: displayName, name, origin: ORIGIN });

export const MemberView = Type.Object({
  email: Type.String(),
  name: Type.String(),
  display_name: Type.String(),
  joined_at: Type.String(),
  role: Type.Enum([...ORG_ROLES]),
});

export const memberView = ({ email, name, displayName }: User, { joinedAt, role }: OrgMember) => ({
  email,
  name,
  display_name: displayName,
  joined_at: joinedAt,
  role,
});
