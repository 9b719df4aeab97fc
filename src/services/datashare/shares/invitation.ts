import type { ValueOf } from '../../../kernel/arm/body/index.ts';
import { isGuid } from '../../../kernel/arm/index.ts';
import { sendNotice } from '../../../kernel/notices/index.ts';
import { entityShape } from '../../../kernel/odata/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { type Addressee, addresseeKey, type Invitation, invitations, type Party, type Person } from '../collections.ts';
import { dataShareErrors } from '../errors.ts';
import { QUOTAS } from '../limits.ts';
import { invalid, object, read, text, time } from '../model/body.ts';
import { type ChildKind, type ChildWriting, COMMON_SHAPE, idAddress, ownedOf } from '../model/child.ts';
import { partyOf, shownPerson } from '../model/people.ts';
import { findShare, type SharePlace } from '../model/places.ts';
import { expiryOf, shownExpiry } from '../model/times.ts';
import { TYPES } from '../types.ts';
import { EXPIRE_INVITATION, expiryId } from '../work.ts';
import { invitationNotice } from './invitation-notice.ts';

/** An invitation offers a share to a recipient, who accepts it by creating a share subscription. */

const EMAIL = /^[^\s@<>"]{1,64}@[^\s@<>"]{1,190}$/;

const PROPERTIES = object(
  {
    targetEmail: text({ pattern: EMAIL, rule: 'it must be an address such as ada@example.com' }),
    targetActiveDirectoryId: text(),
    targetObjectId: text(),
    expirationDate: time(),
  },
  { implied: true },
);
const BODY = object({ properties: PROPERTIES });

export const INVITATION: ChildKind<Invitation, SharePlace> = {
  type: TYPES.invitation,
  operations: 'Invitations',
  params: ['accountName', 'shareName', 'invitationName'],
  collection: invitations,
  quota: QUOTAS.invitation,
  findParent: findShare,
  notFound: (name) => dataShareErrors.InvitationNotFound({ name }),
  shape: entityShape<Invitation>({
    name: 'invitations',
    collection: invitations,
    properties: {
      ...COMMON_SHAPE,
      sentAt: { type: 'Edm.DateTimeOffset', field: 'createdAt' },
      invitationId: { type: 'Edm.String', field: 'uid' },
      invitationStatus: { type: 'Edm.String', field: 'status' },
      targetEmail: { type: 'Edm.String', read: ({ addressee }: Invitation) => shownAddressee(addressee).targetEmail },
    },
    scan: 'bounded',
  }),
  show: (it) => ({
    properties: {
      ...shownAddressee(it.addressee),
      ...shownExpiry(it.expirationDate),
      invitationId: it.uid,
      invitationStatus: it.status,
      sentAt: isoTime(it.createdAt),
      ...(it.respondedAt !== undefined && { respondedAt: isoTime(it.respondedAt) }),
      ...shownPerson(it.user),
    },
  }),
};

function shownAddressee(it: Addressee): {
  readonly targetEmail?: string;
  readonly targetActiveDirectoryId?: string;
  readonly targetObjectId?: string;
} {
  return 'email' in it
    ? { targetEmail: it.email }
    : { targetActiveDirectoryId: it.activeDirectoryId, targetObjectId: it.objectId };
}

/** Either an email address, or both directory ids. */
function addresseeOf(properties: ValueOf<typeof PROPERTIES>): Addressee {
  const { targetEmail: email, targetActiveDirectoryId: activeDirectoryId, targetObjectId: objectId } = properties;
  if (email !== undefined && (activeDirectoryId ?? objectId) !== undefined)
    throw invalid(
      'properties.targetEmail',
      'an invitation must have either an email address or a directory id, not both',
    );
  if (email !== undefined) return { email };
  if (activeDirectoryId === undefined || !isGuid(activeDirectoryId))
    throw invalid('properties.targetActiveDirectoryId', "it must be a GUID, unless 'targetEmail' is given");
  if (objectId === undefined || !isGuid(objectId)) throw invalid('properties.targetObjectId', 'it must be a GUID');
  return { activeDirectoryId, objectId };
}

interface Prepared {
  readonly addressee: Addressee;
  readonly expirationDate?: number;
  readonly sender: Party;
  readonly user: Person;
}

export const INVITATION_WRITING: ChildWriting<Invitation, SharePlace, Prepared> = {
  body: BODY.schema(),
  async prepare(call, arm) {
    const { properties } = read(BODY, call.body, arm.view.rules);
    const addressee = addresseeOf(properties);
    const expiry = expiryOf(properties.expirationDate, call.jar.clock.now());
    const sender = await partyOf(call);
    const { tenantName: _, ...user } = sender;
    return { addressee, ...expiry, sender, user };
  },
  async write({ tx, parent, existing, prepared, key, call, now, ...write }) {
    const { expirationDate } = prepared;
    if (existing && addresseeKey(existing.addressee) !== addresseeKey(prepared.addressee))
      throw dataShareErrors.ImmutableProperty(
        { target: 'properties.targetEmail', existing: addresseeKey(existing.addressee) },
        { target: 'properties.targetEmail' },
      );
    // An answered invitation is final: a second PUT only returns it.
    if (existing && existing.status !== 'Pending') return existing;
    await tx.cancel(expiryId(write.uid));
    if (expirationDate !== undefined)
      await tx.schedule(EXPIRE_INVITATION.at(expirationDate, { key, uid: write.uid }, expiryId(write.uid)));
    const invitation: Invitation = {
      ...ownedOf(write),
      ...prepared,
      sender: existing?.sender ?? prepared.sender,
      user: existing?.user ?? prepared.user,
      share: parent.uid,
      shareKey: parent.key,
      home: parent.share.home,
      status: 'Pending',
    };
    const notice = existing ? undefined : invitationNotice(invitation, parent.share, call.caller?.tenantId ?? '');
    if (notice) await sendNotice(tx, now, notice);
    return invitation;
  },
  // As in the real service, the id follows the name.
  location: (call, { id, uid }) => idAddress(call, `${id}/${uid}`),
};
