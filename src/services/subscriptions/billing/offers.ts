import type { BillingScope } from './scope.ts';

export const WORKLOADS = ['Production', 'DevTest'] as const;
export type Workload = (typeof WORKLOADS)[number];

/** The offer that a subscription shows as its `quotaId`, by kind of billing scope. */
export const PRODUCTION_QUOTA_IDS: Readonly<Record<BillingScope['kind'] | 'none', string>> = {
  invoiceSections: 'PayAsYouGo_2014-09-01',
  customers: 'CSP_2015-05-01',
  enrollmentAccounts: 'EnterpriseAgreement_2014-09-01',
  none: 'PayAsYouGo_2014-09-01',
};

export const DEV_TEST_QUOTA_ID = 'MSDNDevTest_2014-09-01';

export const quotaIdOf = (workload: Workload, scope: BillingScope | undefined): string =>
  workload === 'DevTest' ? DEV_TEST_QUOTA_ID : PRODUCTION_QUOTA_IDS[scope?.kind ?? 'none'];
