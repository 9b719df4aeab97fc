import { Type } from 'typebox';
import { applications } from '../../../kernel/auth/index.ts';
import type { SeedSection } from '../../../kernel/service/index.ts';
import { type BillingAccount, billingAccounts } from '../collections.ts';
import { OWNERSHIP_APPLICATION } from '../ownership/application.ts';

interface Seed {
  readonly billingAccounts: readonly BillingAccount[];
}

const Strict = { additionalProperties: false };
const Name = Type.String({ pattern: '^[^/]+$' });
const Names = {
  name: Name,
  displayName: Type.Optional(Type.String()),
  creators: Type.Optional(Type.Array(Type.String())),
};
const Listed = <T extends ReturnType<typeof Type.Object>>(item: T) => Type.Optional(Type.Array(item));

const Account = Type.Object(
  {
    ...Names,
    agreementType: Type.Optional(Type.String()),
    billingProfiles: Listed(Type.Object({ ...Names, invoiceSections: Listed(Type.Object(Names, Strict)) }, Strict)),
    customers: Listed(
      Type.Object(
        {
          ...Names,
          resellers: Listed(
            Type.Object(
              { resellerId: Type.String({ pattern: '^[0-9]+$' }), description: Type.Optional(Type.String()) },
              Strict,
            ),
          ),
        },
        Strict,
      ),
    ),
    enrollmentAccounts: Listed(Type.Object(Names, Strict)),
    serviceTenants: Listed(Type.Object({ tenantId: Type.String(), tenantName: Type.String() }, Strict)),
    allowTransfers: Type.Optional(Type.Boolean()),
  },
  Strict,
);

/** Seeds billing accounts, of which there are none by default, and the application of the page for new owners. */
export const subscriptionsSeed: SeedSection = {
  schema: Type.Object({ billingAccounts: Type.Array(Account) }, Strict),
  defaults: { billingAccounts: [] } satisfies Seed,
  prepare: async (content) => async (tx) => {
    const seed = content as Seed;
    await tx.putAll(
      billingAccounts,
      seed.billingAccounts.map((account) => [account.name.toLowerCase(), account]),
    );
    await tx.putAll(applications, [[OWNERSHIP_APPLICATION.id, OWNERSHIP_APPLICATION]]);
  },
};
