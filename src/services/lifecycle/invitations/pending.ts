import { uuid } from '../../../kernel/ids/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { eq, type Filter, type Reader, readAll, type Tx } from '../../../kernel/store/index.ts';
import { parseDuration } from '../../../kernel/time/index.ts';
import { recordChange } from '../accounts/changes.ts';
import { type Invitation, invitations } from '../collections.ts';
import { errors } from '../errors.ts';
import { dropInvitation } from './drop.ts';
import { EXPIRE_INVITATION, expiryItem } from './work.ts';

/** Pending invitations to an app or an organization; at most one per target and address. */

const LIFETIME_MS = parseDuration('30d');

export type Target = { readonly appId: string } | { readonly orgId: string };

type Clock = Pick<Jar, 'clock'>;

/** True if the invitation has expired, even if it is still stored. */
export const isOver = ({ expiresAt }: Invitation, { clock }: Clock): boolean => Date.parse(expiresAt) <= clock.now();

/** Subject in change records. Does not include the id, because knowing the id is required to accept. */
export const subjectOf = ({ appId, orgId }: Pick<Invitation, 'appId' | 'orgId'>): string =>
  appId === undefined ? `lifecycle/orgs/${orgId}/invitations` : `lifecycle/apps/${appId}/invitations`;

const filterOf = (target: Target) => ('appId' in target ? eq('appId', target.appId) : eq('orgId', target.orgId));

/** In the order in which they were created. */
export const pendingFor = (reader: Reader, clock: Clock, target: Target): Promise<Invitation[]> =>
  pendingBy(reader, clock, filterOf(target));

export async function pendingBy(reader: Reader, clock: Clock, filter: Filter): Promise<Invitation[]> {
  const found = await readAll(reader, invitations, { filter, order: [{ field: 'createdAt' }] });
  return found.map(({ value }) => value).filter((invitation) => !isOver(invitation, clock));
}

async function findPending(tx: Tx, clock: Clock, target: Target, email: string): Promise<Invitation | undefined> {
  const args = [filterOf(target), eq('email', email.toLowerCase())];
  const { items } = await tx.query(invitations, { filter: { op: 'and', args }, limit: 10 });
  return items.map(({ value }) => value).find((invitation) => !isOver(invitation, clock));
}

export async function requirePending(tx: Tx, clock: Clock, target: Target, email: string): Promise<Invitation> {
  const found = await findPending(tx, clock, target, email);
  if (found) return found;
  throw errors.NotFound({ reason: `There is no pending invitation for '${email.slice(0, 100)}'.` });
}

export type NewInvitation = Pick<Invitation, 'email' | 'role' | 'orgRole' | 'invitedBy'>;

/**
 * A pending invitation to the same address is updated and keeps its id. The caller must hold a lock against concurrent invitations to the
 * same target.
 */
export async function sendInvitation(tx: Tx, jar: Clock, target: Target, wanted: NewInvitation): Promise<void> {
  const before = await findPending(tx, jar, target, wanted.email);
  const now = jar.clock.now();
  const id = before?.id ?? uuid();
  const dueAt = now + LIFETIME_MS;
  const createdAt = before?.createdAt ?? new Date(now).toISOString();
  await tx.put(invitations, id, { id, ...target, ...wanted, createdAt, expiresAt: new Date(dueAt).toISOString() });
  await tx.schedule(EXPIRE_INVITATION.at(dueAt, { id }, expiryItem(id)));
  await recordChange(tx, jar, 'write', subjectOf(target), { email: wanted.email, role: wanted.role });
}

export async function changeInvitation(
  tx: Tx,
  jar: Clock,
  invitation: Invitation,
  role: Invitation['role'],
): Promise<void> {
  if (role === invitation.role) return;
  await tx.put(invitations, invitation.id, { ...invitation, role });
  await recordChange(tx, jar, 'write', subjectOf(invitation), { email: invitation.email, role });
}

export async function endInvitation(tx: Tx, jar: Clock, invitation: Invitation, reason: string): Promise<void> {
  await dropInvitation(tx, invitation.id);
  await recordChange(tx, jar, 'delete', subjectOf(invitation), { email: invitation.email, reason });
}
