import type { Subscription } from '../../../kernel/arm/index.ts';
import { entityShape } from '../../../kernel/odata/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { type Person, type Share, shares } from '../collections.ts';
import { dataShareErrors } from '../errors.ts';
import { QUOTAS } from '../limits.ts';
import { object, read, text, word } from '../model/body.ts';
import { type ChildKind, type ChildWriting, COMMON_SHAPE, idAddress, ownedOf } from '../model/child.ts';
import { callerOf, shownPerson } from '../model/people.ts';
import { type AccountPlace, findAccount } from '../model/places.ts';
import { TYPES } from '../types.ts';

/** A share: data sets under one name, with the terms for copying them. */

const LONGEST_TEXT = 10_000;
const long = text({
  pattern: new RegExp(`^[^]{0,${LONGEST_TEXT}}$`),
  rule: 'it must be at most 10,000 characters',
  emptyIsValue: true,
});

const BODY = object({
  properties: object(
    { description: long, terms: long, shareKind: word(['CopyBased', 'InPlace'], { default: 'CopyBased' }) },
    { implied: true },
  ),
});

export const SHARE: ChildKind<Share, AccountPlace> = {
  type: TYPES.share,
  operations: 'Shares',
  params: ['accountName', 'shareName'],
  collection: shares,
  quota: QUOTAS.share,
  findParent: findAccount,
  notFound: (name, { resource }) => dataShareErrors.ShareNotFound({ name, account: resource.name }),
  shape: entityShape<Share>({
    name: 'shares',
    collection: shares,
    properties: {
      ...COMMON_SHAPE,
      shareKind: { type: { members: ['CopyBased', 'InPlace'] } },
      description: { type: 'Edm.String' },
      terms: { type: 'Edm.String' },
    },
    scan: 'bounded',
  }),
  show: ({ shareKind, description, terms, createdAt, user }) => ({
    properties: {
      ...(description !== undefined && { description }),
      shareKind,
      ...(terms !== undefined && { terms }),
      createdAt: isoTime(createdAt),
      provisioningState: 'Succeeded',
      ...shownPerson(user),
    },
  }),
};

interface Prepared {
  readonly user: Person;
  readonly description?: string;
  readonly terms?: string;
  readonly shareKind: Share['shareKind'];
}

export const SHARE_WRITING: ChildWriting<Share, AccountPlace, Prepared> = {
  body: BODY.schema(),
  async prepare(call, arm) {
    return { ...read(BODY, call.body, arm.view.rules).properties, user: await callerOf(call) };
  },
  write({ parent, arm, existing, prepared, ...write }) {
    const { user, ...settings } = prepared;
    if (existing && existing.shareKind !== settings.shareKind)
      throw dataShareErrors.ImmutableProperty(
        { target: 'properties.shareKind', existing: existing.shareKind },
        { target: 'properties.shareKind' },
      );
    const { subscriptionId, tenantId } = arm.subscription as Subscription;
    const home = { subscriptionId, tenantId, location: parent.resource.location ?? '' };
    return { ...ownedOf(write), ...settings, account: parent.uid, home, user: existing?.user ?? user };
  },
  // As in the real service, the share's name appears twice.
  location: (call, { id, name }) => idAddress(call, `${id}/${name}`),
};
