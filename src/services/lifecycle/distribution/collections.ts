import { collection, set, text } from '../../../kernel/store/index.ts';

export interface DistributionGroup {
  readonly id: string;
  /** Of one app, or shared by apps of one organization. */
  readonly of: { readonly kind: 'app' | 'org'; readonly id: string };
  readonly name: string;
  readonly displayName: string | null;
  readonly isPublic: boolean;
  /** Of a shared group: the apps whose releases it gets. */
  readonly appIds: readonly string[];
  readonly createdAt: string;
}

/** By their ids. */
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
  /** Whose address it is. Absent while nobody who has it has accepted the invitation. */
  readonly userId?: string;
  readonly addedAt: string;
}

/** By `group/address in lower case`. */
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
