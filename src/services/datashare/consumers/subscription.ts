import { normalLocation, type Subscription } from '../../../kernel/arm/index.ts';
import { entityShape } from '../../../kernel/odata/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import {
  type Invitation,
  invitations,
  type Party,
  type ShareSubscription,
  shareSubscriptions,
  shares,
} from '../collections.ts';
import { dataShareErrors } from '../errors.ts';
import { QUOTAS } from '../limits.ts';
import { invalid, object, read, text, time } from '../model/body.ts';
import {
  type ChildKind,
  type ChildWrite,
  type ChildWriting,
  COMMON_SHAPE,
  idAddress,
  ownedOf,
} from '../model/child.ts';
import { partyOf, shownPerson } from '../model/people.ts';
import { type AccountPlace, findAccount } from '../model/places.ts';
import { expiryOf, shownExpiry } from '../model/times.ts';
import { TYPES } from '../types.ts';
import { EXPIRE_SUBSCRIPTION, expiryId } from '../work.ts';
import { addressesOf } from './addresses.ts';
import { notPending, recordAnswer, searchInvitation } from './invitations.ts';

/** A share subscription: the consumer's side of an accepted share. */

const BODY = object({
  properties: object(
    {
      invitationId: text({ required: true }),
      sourceShareLocation: text(),
      expirationDate: time(),
    },
    { implied: true },
  ),
});

export const SUBSCRIPTION: ChildKind<ShareSubscription, AccountPlace> = {
  type: TYPES.subscription,
  operations: 'ShareSubscriptions',
  params: ['accountName', 'shareSubscriptionName'],
  collection: shareSubscriptions,
  quota: QUOTAS.subscription,
  findParent: findAccount,
  notFound: (name) => dataShareErrors.ShareSubscriptionNotFound({ name }),
  shape: entityShape<ShareSubscription>({
    name: 'share subscriptions',
    collection: shareSubscriptions,
    properties: {
      ...COMMON_SHAPE,
      invitationId: { type: 'Edm.String', field: 'invitation' },
      shareSubscriptionStatus: { type: 'Edm.String', field: 'status' },
      shareName: { type: 'Edm.String', read: ({ offer }: ShareSubscription) => offer.shareName },
      providerName: { type: 'Edm.String', read: ({ offer }: ShareSubscription) => offer.provider.name },
    },
    scan: 'bounded',
  }),
  show: ({ offer, ...it }) => ({
    properties: {
      createdAt: isoTime(it.createdAt),
      ...shownExpiry(it.expirationDate),
      invitationId: it.invitation,
      ...(offer.provider.email !== undefined && { providerEmail: offer.provider.email }),
      providerName: offer.provider.name,
      providerTenantName: offer.provider.tenantName,
      provisioningState: 'Succeeded',
      ...(offer.description !== undefined && { shareDescription: offer.description }),
      shareKind: offer.shareKind,
      shareName: offer.shareName,
      shareSubscriptionStatus: it.status,
      ...(offer.terms !== undefined && { shareTerms: offer.terms }),
      sourceShareLocation: it.sourceShareLocation,
      ...shownPerson(it.user),
    },
  }),
};

interface Prepared {
  readonly invitationId: string;
  /** Undefined if the caller has no such invitation, or no longer; only accepting needs one. */
  readonly invitationKey: string | undefined;
  readonly sourceShareLocation: string | undefined;
  readonly expirationDate?: number;
  readonly consumer: Party;
}

export const SUBSCRIPTION_WRITING: ChildWriting<ShareSubscription, AccountPlace, Prepared> = {
  body: BODY.schema(),
  async prepare(call, arm) {
    const { invitationId, sourceShareLocation, expirationDate } = read(BODY, call.body, arm.view.rules).properties;
    const expiry = expiryOf(expirationDate, call.jar.clock.now());
    const found = await searchInvitation(call.jar.store, invitationId, await addressesOf(call));
    const location = sourceShareLocation === undefined ? undefined : normalLocation(sourceShareLocation);
    return {
      invitationId: invitationId.toLowerCase(),
      invitationKey: found?.key,
      sourceShareLocation: location,
      ...expiry,
      consumer: await partyOf(call),
    };
  },
  async write(write) {
    const { tx, key, existing, prepared, uid } = write;
    const { expirationDate } = prepared;
    if (existing && existing.invitation !== prepared.invitationId)
      throw dataShareErrors.ImmutableProperty(
        { target: 'properties.invitationId', existing: existing.invitation },
        { target: 'properties.invitationId' },
      );
    const asked = prepared.sourceShareLocation ?? existing?.sourceShareLocation;
    if (existing && asked !== existing.sourceShareLocation)
      throw invalid('properties.sourceShareLocation', `the share is in '${existing.sourceShareLocation}'`);
    const document = existing ? { ...existing, systemData: write.systemData } : await accepted(write);
    if (expirationDate === undefined) return document;
    // The provider sets the expiry with `adjust`; a consumer can only shorten it.
    if (document.expirationDate !== undefined && expirationDate > document.expirationDate)
      throw dataShareErrors.ImmutableProperty(
        { target: 'properties.expirationDate', existing: isoTime(document.expirationDate) },
        { target: 'properties.expirationDate' },
      );
    await tx.schedule(EXPIRE_SUBSCRIPTION.at(expirationDate, { key, uid }, expiryId(uid)));
    return { ...document, expirationDate };
  },
  location: (call, { id, name }) => idAddress(call, `${id}/${name}`),
};

/** Updates the invitation and creates the subscription in one commit, so that of two concurrent accepts only one succeeds. */
async function accepted(write: ChildWrite<ShareSubscription, AccountPlace, Prepared>): Promise<ShareSubscription> {
  const { tx, arm, parent, prepared, now } = write;
  const { invitationKey, ...invitation } = await holdPending(write);
  const share = (await tx.get(shares, invitation.shareKey, 'share'))?.value;
  if (share?.uid !== invitation.share) throw dataShareErrors.InvitationNotFound({ name: prepared.invitationId });
  const { location } = share.home;
  if (prepared.sourceShareLocation !== undefined && prepared.sourceShareLocation !== location)
    throw invalid('properties.sourceShareLocation', `the share is in '${location}'`);
  const answered: Invitation = { ...invitation, status: 'Accepted', respondedAt: now };
  await tx.put(invitations, invitationKey, answered);
  await tx.cancel(expiryId(invitation.uid));
  await recordAnswer(tx, answered, now);
  const { subscriptionId, tenantId } = arm.subscription as Subscription;
  const { name: shareName, shareKind, description, terms } = share;
  const { tenantName: _, ...user } = prepared.consumer;
  return {
    ...ownedOf(write),
    account: parent.uid,
    home: { subscriptionId, tenantId, location: parent.resource.location ?? '' },
    share: share.uid,
    shareKey: invitation.shareKey,
    invitation: invitation.uid,
    sourceShareLocation: location,
    status: 'Active',
    sharedAt: now,
    offer: {
      shareName,
      shareKind,
      ...(description !== undefined && { description }),
      ...(terms !== undefined && { terms }),
      provider: invitation.sender,
    },
    consumer: prepared.consumer,
    user,
  };
}

async function holdPending({
  tx,
  prepared,
  now,
}: ChildWrite<ShareSubscription, AccountPlace, Prepared>): Promise<Invitation & { readonly invitationKey: string }> {
  const { invitationKey, invitationId } = prepared;
  const invitation = invitationKey === undefined ? undefined : (await tx.get(invitations, invitationKey))?.value;
  if (invitationKey === undefined || invitation?.uid !== invitationId)
    throw dataShareErrors.InvitationNotFound({ name: invitationId.slice(0, 100) });
  const { expirationDate } = invitation;
  if (expirationDate !== undefined && expirationDate <= now)
    throw dataShareErrors.InvitationExpired({ id: invitation.uid, at: isoTime(expirationDate) });
  if (invitation.status !== 'Pending') throw notPending(invitation);
  return { ...invitation, invitationKey };
}
