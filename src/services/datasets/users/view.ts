import { Type } from 'typebox';
import type { Principal } from '../access/principal.ts';

/** Properties shown in the lists of both workspace users and dataset users. */
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
    // The whole organization has no directory object; the id of a profile is not its object id.
    ...(principalType !== 'None' && { graphId: principalId.split('/', 1)[0] }),
    // Always Member, because guests of other tenants cannot be users here.
    ...(principalType === 'User' && { userType: 'Member' }),
    ...(profile && { profile }),
  };
}
