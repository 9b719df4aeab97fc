import { Type } from 'typebox';
import { parseEnumValue } from '../access/parse-enum-value.ts';
import { findPrincipal, type NamedPrincipal, PRINCIPAL_TYPES, type Principal } from '../access/principal.ts';
import { errors } from '../errors.ts';
import type { DatasetsJar } from '../jar.ts';

/** The documented limit of a workspace, also applied to a dataset's own list. */
const MOST_USERS = 1000;

const Text = Type.Optional(Type.String({ maxLength: 256 }));

/**
 * Properties that identify a principal in the bodies of workspace and dataset users. Properties that only responses have are accepted and
 * ignored.
 */
export const PRINCIPAL_FIELDS = {
  identifier: Text,
  emailAddress: Text,
  principalType: Type.Optional(Type.String({ description: PRINCIPAL_TYPES.join(', ') })),
  displayName: Text,
  graphId: Text,
  userType: Text,
  profile: Type.Optional(
    Type.Object(
      { id: Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' }), displayName: Text },
      { additionalProperties: false },
    ),
  ),
} as const;

export interface PrincipalBody {
  readonly identifier?: string;
  readonly emailAddress?: string;
  readonly principalType?: string;
  readonly displayName?: string;
  readonly profile?: { readonly id: string; readonly displayName?: string };
}

/** A body with only an email address names a user. */
export function namedIn({ emailAddress, displayName, profile, ...body }: PrincipalBody): NamedPrincipal {
  const identifier = (body.identifier ?? emailAddress ?? '').trim();
  const isType = body.principalType !== undefined || body.identifier === undefined;
  if (identifier === '' || !isType) throw unknownPrincipal(identifier);
  const principalType = parseEnumValue(body.principalType ?? 'User', PRINCIPAL_TYPES, 'principalType');
  return { principalType, identifier, displayName, profile };
}

/** Finds a principal of the tenant; throws the service's error if none exists. */
export async function principalNamed(
  { store }: Pick<DatasetsJar, 'store'>,
  tenantId: string,
  named: NamedPrincipal,
): Promise<Principal> {
  const found = await findPrincipal(store, tenantId, named);
  if (!found) throw unknownPrincipal(named.identifier);
  return found;
}

const unknownPrincipal = (identifier: string) =>
  errors.InvalidRequest__Principal({ identifier: identifier.slice(0, 100) }, { target: 'identifier' });

/** Throws if a list of users exceeds its limit. */
export function checkUserCount(users: readonly unknown[]): void {
  if (users.length > MOST_USERS) throw errors.InvalidRequest({ reason: `There can be at most ${MOST_USERS} users.` });
}
