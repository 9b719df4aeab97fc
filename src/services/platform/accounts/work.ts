import { defineWork } from '../../../kernel/work/index.ts';

/** Completes the setup of a workspace: its status becomes RUNNING. */
export const PROVISION_WORKSPACE = defineWork<{ readonly workspace: string }>('platform.provision-workspace', {
  title: 'Finishes the setup of a workspace',
  subject: 'workspace',
  concurrency: 8,
});

/** Removes the data of a deleted workspace. */
export const PURGE_WORKSPACE = defineWork<DeletedWorkspace>('platform.purge-workspace', {
  title: 'Removes the data of a deleted workspace',
  subject: 'id',
  concurrency: 2,
});

/** Removes a user 30 days after its deletion from its last workspace. */
export const PURGE_USER = defineWork<{ readonly accountId: string; readonly user: string }>('platform.purge-user', {
  title: 'Removes a deleted user',
  subject: 'user',
  concurrency: 2,
});

export interface DeletedWorkspace {
  readonly id: string;
  readonly accountId: string;
}

export const ACCOUNT_WORK = [PROVISION_WORKSPACE, PURGE_USER, PURGE_WORKSPACE] as const;

export const provisionId = (workspace: string): string => `platform.provision-workspace:${workspace}`;

/** At most one item is scheduled per user, so that an assignment can cancel it. */
export const purgeUserId = (accountId: string, user: string): string => `platform.purge-user:${accountId}/${user}`;
