import { Type } from 'typebox';
import type { Principal } from '../access/principal.ts';

/** What the lists of users of workspaces and of datasets show alike. */
export const PRINCIPAL_VIEW = {
  identifier: Type.String(),
  principalType: Type.String(),
  displayName: Type.String(),
  emailAddress: Type.Optional(Type.String()),
  graphId: Type.Optional(Type.String()),
  userType: Type.Optional(Type.String()),
  profile: Type.Optional(Type.Object({ id: Type.String(), displayName: Type.Optional(Type.String()) })),
} as const;

export function principalView({ principalId, principalType, ...rest }: Principal) {
  const { identifier, displayName, emailAddress, profile } = rest;
  return {
    identifier,
    principalType,
    displayName,
    ...(emailAddress !== undefined && { emailAddress }),
    // The whole organization has no object, and a profile is known by its own id.
    ...(principalType !== 'None' && { graphId: principalId.split('/', 1)[0] }),
    // Guests of other tenants are not members of anything here.
    ...(principalType === 'User' && { userType: 'Member' }),
    ...(profile && { profile }),
  };
}
