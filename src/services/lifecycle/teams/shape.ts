import { Type } from 'typebox';
import { APP_PROPERTIES } from '../apps/shape.ts';
import type { Team, TeamMember, User } from '../collections.ts';
import { APP_ROLES, TEAM_ROLES } from '../roles.ts';

export const TeamView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  display_name: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
});

export const teamView = ({ id, name, displayName, description }: Team) => ({
  id,
  name,
  display_name: displayName,
  description,
});

export const TeamPersonView = Type.Object({
  email: Type.String(),
  name: Type.String(),
  display_name: Type.String(),
  role: Type.Enum([...TEAM_ROLES]),
});

export const teamPersonView = ({ email, name, displayName }: User, { role }: TeamMember) => ({
  email,
  name,
  display_name: displayName,
  role,
});

export const TeamAppView = Type.Object({
  ...APP_PROPERTIES,
  team_permissions: Type.Array(Type.Enum([...APP_ROLES])),
});
