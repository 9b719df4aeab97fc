import { Type } from 'typebox';
import { armRouteOf, withPrefix } from '../../../kernel/arm/index.ts';
import { ok, type Route } from '../../../kernel/http/index.ts';
import { omitAbsent } from '../../../kernel/values/index.ts';
import type { BillingAccount, Reseller } from '../collections.ts';
import { subscriptionErrors } from '../errors.ts';
import { armCode } from '../jar.ts';
import { BILLING_API_VERSIONS } from '../names.ts';
import { ACCOUNT_TYPE, ACCOUNTS_PATH, findAccount } from './accounts.ts';

/** A part of a billing account that a billing scope can name, or a container of such parts. */
interface Part {
  readonly name: string;
  readonly displayName?: string;
  readonly resellers?: readonly Reseller[];
}

interface Kind {
  /** `BillingProfiles` */
  readonly operations: string;
  /** Path after the account, without the part's own name. */
  readonly path: string;
  of(account: BillingAccount, profile: string): readonly Part[] | undefined;
}

const KINDS: readonly Kind[] = [
  { operations: 'BillingProfiles', path: 'billingProfiles', of: ({ billingProfiles }) => billingProfiles },
  {
    operations: 'InvoiceSections',
    path: 'billingProfiles/{billingProfileName}/invoiceSections',
    of: ({ billingProfiles = [] }, profile) => named(billingProfiles, profile)?.invoiceSections,
  },
  { operations: 'Customers', path: 'customers', of: ({ customers }) => customers },
  { operations: 'EnrollmentAccounts', path: 'enrollmentAccounts', of: ({ enrollmentAccounts }) => enrollmentAccounts },
];

const named = <T extends Part>(parts: readonly T[], name: string): T | undefined =>
  parts.find((each) => each.name.toLowerCase() === name.toLowerCase());

const PartSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  properties: Type.Object({
    displayName: Type.String(),
    resellers: Type.Optional(
      Type.Array(Type.Object({ resellerId: Type.String(), description: Type.Optional(Type.String()) })),
    ),
  }),
});

const PARAMS = ['billingAccountName', 'billingProfileName', 'partName'] as const;

export const partRoutes: readonly Route[] = KINDS.flatMap(({ operations, path, of }) => {
  const type = `${ACCOUNT_TYPE}/${path.replace('/{billingProfileName}', '')}`;
  const head = {
    method: 'GET',
    action: `${type}/read`,
    resourceType: ACCOUNT_TYPE,
    apiVersions: BILLING_API_VERSIONS,
    tenantLevel: true,
  } as const;
  const collection = `${ACCOUNTS_PATH}/{billingAccountName}/${path}`;
  const view = (part: Part, folder: string, prefix: string) => {
    const { name, displayName = name, resellers } = part;
    const id = withPrefix(`${folder}/${name}`, prefix);
    return { id, name, type: withPrefix(type, prefix), properties: omitAbsent({ displayName, resellers }) };
  };
  const list = armCode(PARAMS, {
    responses: { 200: Type.Object({ value: Type.Array(PartSchema) }) },
    async handle(call, { prefix }) {
      const { billingAccountName, billingProfileName } = call.params;
      const account = await findAccount(call, billingAccountName);
      const parts = of(account, billingProfileName) ?? [];
      return ok({ value: parts.map((part) => view(part, folderOf(path, account, billingProfileName), prefix)) });
    },
  });
  const get = armCode(PARAMS, {
    responses: { 200: PartSchema },
    async handle(call, { prefix }) {
      const { billingAccountName, billingProfileName, partName } = call.params;
      const account = await findAccount(call, billingAccountName);
      const part = named(of(account, billingProfileName) ?? [], partName);
      if (!part) throw subscriptionErrors.ResourceNotFound({ name: partName, account: account.name });
      return ok(view(part, folderOf(path, account, billingProfileName), prefix));
    },
  });
  const about = `parts of billing accounts: ${path}`;
  return [
    armRouteOf(
      { ...head, path: collection, operation: `${operations}_List`, summary: `Lists ${about}`, shows: 'list' },
      list,
    ),
    armRouteOf(
      { ...head, path: `${collection}/{partName}`, operation: `${operations}_Get`, summary: `Reads ${about}` },
      get,
    ),
  ];
});

/** With names as seeded, whatever case the request's path uses. */
function folderOf(path: string, { name, billingProfiles = [] }: BillingAccount, profile: string | undefined): string {
  const known = profile === undefined ? '' : (named(billingProfiles, profile)?.name ?? profile);
  return `${ACCOUNTS_PATH}/${name}/${path.replace('{billingProfileName}', known)}`;
}
