import { findWord } from '../../../kernel/arm/body/index.ts';
import { armFacts, type IdentityIds, identityIds, type Subscription } from '../../../kernel/arm/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import type { Json } from '../../../kernel/store/index.ts';
import type { EventsCall } from '../jar.ts';
import { type IdentityBody, invalid } from './body.ts';

const TYPES = ['None', 'SystemAssigned', 'UserAssigned', 'SystemAssigned, UserAssigned'] as const;

const IDENTITY_ID =
  /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/[^/]+\.ManagedIdentity\/userAssignedIdentities\/[^/]+$/i;

interface StoredIdentity {
  readonly type: string;
  readonly principalId?: string;
  readonly userAssignedIdentities?: Readonly<Record<string, IdentityIds>>;
}

/**
 * The identity after a write: kept if it was not sent, removed by the type `None`. A PATCH adds user-assigned identities, and removes those
 * that are null.
 */
export function identityAfter(
  call: EventsCall,
  body: IdentityBody | undefined,
  before: Json | undefined,
  write: 'put' | 'patch',
): Json | undefined {
  if (!body) return before;
  const known = before as StoredIdentity | undefined;
  const type = typeOf(body, known);
  if (type === 'None') {
    if (assignedIn(body).length > 0) throw invalid('identity.userAssignedIdentities', `the type '${type}' has none`);
    return { type };
  }
  const { tenantId } = armFacts(call).subscription as Subscription;
  const assigned = type.includes('UserAssigned') ? assignedAfter(call, body, known, write) : undefined;
  if (!assigned && assignedIn(body).length > 0)
    throw invalid('identity.userAssignedIdentities', `the type '${type}' has none`);
  return {
    type,
    ...(type.includes('SystemAssigned') && { principalId: known?.principalId ?? uuid(), tenantId }),
    ...(assigned && { userAssignedIdentities: assigned }),
  };
}

function typeOf({ type }: IdentityBody, known: StoredIdentity | undefined): string {
  const given = type ?? known?.type;
  if (given === undefined) throw invalid('identity.type', 'it is missing');
  const found = findWord(TYPES, given, true);
  if (found === undefined) throw invalid('identity.type', `'${given.slice(0, 60)}' is none of ${TYPES.join('; ')}`);
  return found;
}

/** Ids to assign; null removes an id. */
const assignedIn = ({ userAssignedIdentities }: IdentityBody): string[] =>
  Object.entries(userAssignedIdentities ?? {}).flatMap(([id, entry]) => (entry === null ? [] : [id]));

function assignedAfter(
  { jar }: EventsCall,
  body: IdentityBody,
  known: StoredIdentity | undefined,
  write: 'put' | 'patch',
): { [id: string]: Json } {
  const target = 'identity.userAssignedIdentities';
  const kept = new Map<string, string>();
  if (write === 'patch')
    for (const id of Object.keys(known?.userAssignedIdentities ?? {})) kept.set(id.toLowerCase(), id);
  for (const [id, entry] of Object.entries(body.userAssignedIdentities ?? {})) {
    if (entry === null) kept.delete(id.toLowerCase());
    else if (IDENTITY_ID.test(id)) kept.set(id.toLowerCase(), kept.get(id.toLowerCase()) ?? id);
    else throw invalid(target, `'${id.slice(0, 200)}' is not the id of a user-assigned identity`);
  }
  if (kept.size === 0) throw invalid(target, 'the type needs at least one user-assigned identity');
  return Object.fromEntries([...kept.values()].map((id) => [id, { ...identityIds(jar, id) }]));
}
