import { Type } from 'typebox';
import { listPage, withPrefix } from '../../../kernel/arm/index.ts';
import { ok, type Route } from '../../../kernel/http/index.ts';
import { omitAbsent } from '../../../kernel/values/index.ts';
import { type BillingAccount, billingAccounts, EVERYBODY } from '../collections.ts';
import { armRoute } from '../jar.ts';
import { BILLING_API_VERSIONS, NAMESPACE } from '../names.ts';
import { callerOf } from '../roles.ts';
import { VERSIONS } from '../version-table.ts';
import { ACCOUNT_TYPE, ACCOUNTS_PATH, findAccount } from './accounts.ts';

const ACCOUNT = `${ACCOUNTS_PATH}/{billingAccountName}` as const;

const AccountSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  properties: Type.Object({
    displayName: Type.String(),
    agreementType: Type.Optional(Type.String()),
    accountStatus: Type.String(),
  }),
});

const PolicySchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  properties: Type.Object({
    serviceTenants: Type.Array(Type.Object({ tenantId: Type.String(), tenantName: Type.String() })),
    allowTransfers: Type.Boolean(),
  }),
});

const common = { apiVersions: BILLING_API_VERSIONS, resourceType: ACCOUNT_TYPE, tenantLevel: true } as const;

export const billingRoutes: readonly Route[] = [
  armRoute({
    ...common,
    method: 'GET',
    path: ACCOUNTS_PATH,
    operation: 'BillingAccounts_List',
    summary: 'The billing accounts with which the caller may create subscriptions',
    action: `${ACCOUNT_TYPE}/read`,
    shows: 'list',
    responses: { 200: Type.Object({ value: Type.Array(AccountSchema), nextLink: Type.Optional(Type.String()) }) },
    handle(call, { prefix }) {
      const values = [callerOf(call).objectId.toLowerCase(), EVERYBODY];
      const filter = { op: 'hasAny', field: 'creators', values } as const;
      return listPage(call, billingAccounts, { filter }, (account) => accountView(account, prefix));
    },
  }),
  armRoute({
    ...common,
    method: 'GET',
    path: ACCOUNT,
    operation: 'BillingAccounts_Get',
    summary: 'One billing account',
    action: `${ACCOUNT_TYPE}/read`,
    responses: { 200: AccountSchema },
    handle: async (call, { prefix }) =>
      ok(accountView(await findAccount(call, call.params.billingAccountName), prefix)),
  }),
  armRoute({
    method: 'GET',
    path: `${ACCOUNT}/providers/${NAMESPACE}/policies/default`,
    operation: 'BillingAccount_GetPolicy',
    summary: 'The tenants in which a billing account pays for subscriptions',
    action: `${NAMESPACE}/policies/read`,
    resourceType: `${NAMESPACE}/policies`,
    versions: VERSIONS.of('policies'),
    tenantLevel: true,
    responses: { 200: PolicySchema },
    async handle(call, { prefix }) {
      const {
        name,
        serviceTenants = [],
        allowTransfers = false,
      } = await findAccount(call, call.params.billingAccountName);
      return ok({
        id: withPrefix(`${ACCOUNTS_PATH}/${name}/providers/${NAMESPACE}/policies/default`, prefix),
        name: 'default',
        type: withPrefix(`${NAMESPACE}/policies`, prefix),
        properties: { serviceTenants, allowTransfers },
      });
    },
  }),
];

function accountView({ name, displayName = name, agreementType }: BillingAccount, prefix: string) {
  return {
    id: withPrefix(`${ACCOUNTS_PATH}/${name}`, prefix),
    name,
    type: withPrefix(ACCOUNT_TYPE, prefix),
    properties: omitAbsent({ displayName, agreementType, accountStatus: 'Active' }),
  };
}
