import { Type } from 'typebox';
import { isGuid, listPageOf, withPrefix } from '../../../kernel/arm/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import { LIST_QUERY } from '../../../kernel/odata/index.ts';
import { allOf, eq, type Filter, type Reader, type Stored } from '../../../kernel/store/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { dataSets, type Invitation, invitations, shares } from '../collections.ts';
import { dataShareErrors } from '../errors.ts';
import { armCode, type DataShareJar } from '../jar.ts';
import { object, read, text } from '../model/body.ts';
import { recordActivity } from '../model/records.ts';
import { shownExpiry } from '../model/times.ts';
import { NAMESPACE, TYPES } from '../types.ts';
import { expiryId } from '../work.ts';
import { addressesOf } from './addresses.ts';

/** Invitations as their recipients see them. Other callers cannot detect that an invitation exists. */

const REJECTION = object({
  properties: object({ invitationId: text({ required: true }) }, { implied: true }),
});

export async function viewOf(
  it: Invitation,
  { store }: DataShareJar,
  prefix: string,
): Promise<Record<string, unknown>> {
  const share = (await store.cached(shares, it.shareKey))?.value;
  const { location } = it.home;
  return {
    id: withPrefix(`/providers/${NAMESPACE}/locations/${location}/consumerInvitations/${it.uid}`, prefix),
    name: it.name,
    type: withPrefix(`${NAMESPACE}/consumerInvitations`, prefix),
    systemData: it.systemData,
    properties: {
      ...(share?.description !== undefined && { description: share.description }),
      dataSetCount: await store.count(dataSets, { prefix: `${it.share}/` }),
      ...shownExpiry(it.expirationDate),
      invitationId: it.uid,
      invitationStatus: it.status,
      location,
      shareName: share?.name ?? '',
      sentAt: isoTime(it.createdAt),
      ...(it.respondedAt !== undefined && { respondedAt: isoTime(it.respondedAt) }),
      ...(share?.terms !== undefined && { termsOfUse: share.terms }),
      providerName: it.sender.name,
      ...(it.sender.email !== undefined && { providerEmail: it.sender.email }),
      providerTenantName: it.sender.tenantName,
      userName: null,
      userEmail: null,
    },
  };
}

const toCaller = (addresses: readonly string[]): Filter => ({ op: 'in', field: 'addressee', values: addresses });

/** Finds the invitation if it is addressed to the caller. */
export async function searchInvitation(
  reader: Pick<Reader, 'query'>,
  id: string,
  addresses: readonly string[],
): Promise<Stored<Invitation> | undefined> {
  const filter = allOf(eq('uid', id.toLowerCase()), toCaller(addresses));
  return isGuid(id) ? (await reader.query(invitations, { filter, limit: 1 })).items[0] : undefined;
}

async function findInvitation(...asked: Parameters<typeof searchInvitation>): Promise<Stored<Invitation>> {
  const found = await searchInvitation(...asked);
  if (!found) throw dataShareErrors.InvitationNotFound({ name: asked[1].slice(0, 100) });
  return found;
}

export const listInvitations = armCode([], {
  query: Type.Object(LIST_QUERY),
  async handle(call, arm) {
    const filter = allOf(toCaller(await addressesOf(call)), eq('status', 'Pending'));
    const source = { filter, order: [{ field: 'createdAt', descending: true }] };
    return listPageOf(call, invitations, source, (found) =>
      Promise.all(found.map((it) => viewOf(it, call.jar, arm.prefix))),
    );
  },
});

export const getInvitation = armCode(['location', 'invitationId'], {
  async handle(call, arm) {
    const { location, invitationId } = call.params;
    const { value } = await findInvitation(call.jar.store, invitationId, await addressesOf(call));
    if (value.home.location !== normal(location)) throw dataShareErrors.InvitationNotFound({ name: invitationId });
    return ok(await viewOf(value, call.jar, arm.prefix));
  },
});

const normal = (location: string): string => location.replaceAll(' ', '').toLowerCase();

export const rejectInvitation = armCode(['location'], {
  body: REJECTION.schema(),
  async handle(call, arm) {
    const { jar } = call;
    const { invitationId } = read(REJECTION, call.body, arm.view.rules).properties;
    const addresses = await addressesOf(call);
    const rejected = await jar.store.transact(async (tx) => {
      const { key } = await findInvitation(tx, invitationId, addresses);
      const invitation = (await tx.get(invitations, key))?.value;
      if (invitation?.home.location !== normal(call.params.location))
        throw dataShareErrors.InvitationNotFound({ name: invitationId });
      const { status } = invitation;
      if (status !== 'Pending') throw notPending(invitation);
      const now = jar.clock.now();
      const value: Invitation = { ...invitation, status: 'Rejected', respondedAt: now };
      await tx.put(invitations, key, value);
      await tx.cancel(expiryId(invitation.uid));
      await recordAnswer(tx, value, now);
      return value;
    });
    return ok(await viewOf(rejected, jar, arm.prefix));
  },
});

export const notPending = ({ uid, status }: Invitation): Error =>
  dataShareErrors.InvitationNotPending({ id: uid, status: status.toLowerCase() });

/** Writes an activity record for the provider after its invitation was answered or expired. */
export const recordAnswer = (tx: Parameters<typeof recordActivity>[0], it: Invitation, at: number): Promise<void> =>
  recordActivity(tx, { type: TYPES.invitation, effect: 'write', resourceUri: it.id, home: it.home, at }, 'Succeeded');
