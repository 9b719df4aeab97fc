import type { QuotaLimit } from '../../kernel/limits/index.ts';

/** A quota and its name in the header `x-ms-quota`. */
export interface NamedQuota extends QuotaLimit {
  readonly shownAs: string;
}

const quota = (name: string, shownAs: string, title: string, owner: string, limit: number): NamedQuota => ({
  kind: 'quota',
  name: `datashare.${name}`,
  title,
  scope: [owner],
  unit: name.replaceAll('-', ' '),
  limit,
  shownAs: `${shownAs} resource quota`,
});

export const QUOTAS = {
  account: quota('accounts', 'Account', 'Data share accounts in a subscription', 'subscription', 100),
  share: quota('shares', 'Share', 'Shares of a data share account', 'account', 200),
  dataSet: quota('data-sets', 'DataSet', 'Data sets of a share', 'share', 200),
  invitation: quota('invitations', 'Invitation', 'Invitations of a share', 'share', 200),
  setting: quota('synchronization-settings', 'SynchronizationSetting', 'Schedules of a share', 'share', 1),
  subscription: quota(
    'share-subscriptions',
    'ShareSubscription',
    'Share subscriptions of a data share account',
    'account',
    100,
  ),
  mapping: quota(
    'data-set-mappings',
    'DataSetMapping',
    'Data set mappings of a share subscription',
    'shareSubscription',
    200,
  ),
  trigger: quota('triggers', 'Trigger', 'Triggers of a share subscription', 'shareSubscription', 1),
} as const;
