import { collection, set, text } from '../../../kernel/store/index.ts';

export interface DistributionGroup {
  readonly id: string;
  /** The owner: one app, or an organization whose apps share the group. */
  readonly of: { readonly kind: 'app' | 'org'; readonly id: string };
  readonly name: string;
  readonly displayName: string | null;
  readonly isPublic: boolean;
  /** Shared groups only: the apps whose releases the testers get. */
  readonly appIds: readonly string[];
  readonly createdAt: string;
}

/** Keyed by id. */
export const distributionGroups = collection<DistributionGroup>('lifecycle.distribution_groups', {
  fields: {
    ofId: text(({ of }) => of.id),
    name: text(({ name }) => name.toLowerCase()),
    appIds: set(({ appIds }) => appIds),
  },
  indexes: [['ofId', 'name']],
});

export interface Tester {
  readonly groupId: string;
  readonly email: string;
  /** The account with this address. Undefined until its user accepts the invitation. */
  readonly userId?: string;
  readonly addedAt: string;
}

/** Keyed by `group/address in lower case`. */
export const testers = collection<Tester>('lifecycle.testers', {
  fields: {
    groupId: text(({ groupId }) => groupId),
    email: text(({ email }) => email.toLowerCase()),
    userId: text(({ userId }) => userId),
  },
  indexes: [['groupId', 'email'], ['email'], ['userId']],
});

export const testerKey = (groupId: string, email: string): string => `${groupId}/${email.toLowerCase()}`;

export const DISTRIBUTION_COLLECTIONS = [distributionGroups, testers];
