import { Type } from 'typebox';
import { type Role, roleAssignments, type Subscription, subscriptions } from '../../kernel/arm/index.ts';
import { OTHER_TENANT, SEED_TENANT } from '../../kernel/auth/index.ts';
import type { SeedSection } from '../../kernel/service/index.ts';

export const SEED_SUBSCRIPTION = '10000000-0000-4000-8000-0000000000f1';
export const OTHER_SUBSCRIPTION = '20000000-0000-4000-8000-0000000000f1';

interface Seed {
  subscriptions: { subscriptionId: string; tenantId: string; displayName: string; state?: Subscription['state'] }[];
  roles: { principalId: string; scope: string; role: Role }[];
}

const person = (suffix: string): string => `10000000-0000-4000-8000-0000000000${suffix}`;

const defaults: Seed = {
  subscriptions: [
    { subscriptionId: SEED_SUBSCRIPTION, tenantId: SEED_TENANT, displayName: 'Cloudjar' },
    { subscriptionId: OTHER_SUBSCRIPTION, tenantId: OTHER_TENANT, displayName: 'Other' },
  ],
  roles: [
    { principalId: person('11'), scope: '/', role: 'Owner' },
    { principalId: person('a2'), scope: '/', role: 'Owner' },
    { principalId: person('12'), scope: `/subscriptions/${SEED_SUBSCRIPTION}`, role: 'Contributor' },
    { principalId: person('14'), scope: `/subscriptions/${SEED_SUBSCRIPTION}`, role: 'Reader' },
    {
      principalId: '20000000-0000-4000-8000-000000000011',
      scope: `/subscriptions/${OTHER_SUBSCRIPTION}`,
      role: 'Owner',
    },
  ],
};

const schema = Type.Object({
  subscriptions: Type.Array(
    Type.Object({
      subscriptionId: Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' }),
      tenantId: Type.String(),
      displayName: Type.String(),
      state: Type.Optional(Type.Enum(['Enabled', 'Warned', 'PastDue', 'Disabled', 'Deleted'])),
    }),
  ),
  roles: Type.Array(
    Type.Object({
      principalId: Type.String(),
      scope: Type.String(),
      role: Type.Enum(['Owner', 'Contributor', 'Reader']),
    }),
  ),
});

export const resourcesSeed: SeedSection = {
  schema,
  defaults,
  prepare: async (content) => async (tx, jar) => {
    const seed = content as Seed;
    const registered = Object.fromEntries(
      jar.providers.map(({ namespace }) => [namespace.toLowerCase(), 'Registered' as const]),
    );
    const made = seed.subscriptions.map(
      ({ subscriptionId, tenantId, displayName, state = 'Enabled' }): [string, Subscription] => [
        subscriptionId.toLowerCase(),
        {
          subscriptionId,
          tenantId,
          displayName,
          state,
          tags: {},
          quotaId: 'PayAsYouGo_2014-09-01',
          spendingLimit: 'Off',
          registrations: registered,
        },
      ],
    );
    await tx.putAll(subscriptions, made);
    const byPrincipal = Map.groupBy(seed.roles, ({ principalId }) => principalId.toLowerCase());
    await tx.putAll(
      roleAssignments,
      [...byPrincipal].map(([principalId, roles]) => [
        principalId,
        { principalId, assignments: roles.map(({ scope, role }) => ({ scope, role })) },
      ]),
    );
  },
};
