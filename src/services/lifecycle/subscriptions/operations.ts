import type { Operation } from '../operation.ts';
import { linkApp, listForApp, listForOrg, listForUser, unlinkApp } from './linked.ts';

const OF_APP = '/apps/{owner_name}/{app_name}/azure_subscriptions';

/** Links between apps and subscriptions of the management plane. */
export const SUBSCRIPTION_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: '/azure_subscriptions',
    operation: 'azureSubscription_listForUser',
    summary: 'The subscriptions to which apps of the user are linked',
    needs: 'account',
    code: listForUser,
  },
  {
    method: 'GET',
    path: '/orgs/{org_name}/azure_subscriptions',
    operation: 'azureSubscription_listForOrg',
    summary: 'The subscriptions to which apps of an organization are linked',
    needs: 'orgSee',
    code: listForOrg,
  },
  {
    method: 'GET',
    path: OF_APP,
    operation: 'azureSubscription_listForApp',
    summary: 'The subscription to which an app is linked, if any',
    needs: 'appSee',
    code: listForApp,
  },
  {
    method: 'POST',
    path: OF_APP,
    operation: 'azureSubscription_linkForApp',
    summary: 'Links an app to a subscription',
    needs: 'appManage',
    code: linkApp,
  },
  {
    method: 'DELETE',
    path: `${OF_APP}/{azure_subscription_id}`,
    operation: 'azureSubscription_deleteForApp',
    summary: 'Removes the link of an app to a subscription',
    needs: 'appManage',
    code: unlinkApp,
  },
];
