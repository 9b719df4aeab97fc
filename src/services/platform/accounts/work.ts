import { defineWork } from '../../../kernel/work/index.ts';

/** A workspace is set up: from then on it is RUNNING. */
export const PROVISION_WORKSPACE = defineWork<{ readonly workspace: string }>('platform.provision-workspace', {
  concurrency: 8,
});

/** A workspace was deleted, and what was in it is removed. */
export const PURGE_WORKSPACE = defineWork<DeletedWorkspace>('platform.purge-workspace', { concurrency: 2 });

/** A user was deleted from the last of its workspaces 30 days ago. */
export const PURGE_USER = defineWork<{ readonly accountId: string; readonly user: string }>('platform.purge-user', {
  concurrency: 2,
});

export interface DeletedWorkspace {
  readonly id: string;
  readonly accountId: string;
}

export const ACCOUNT_WORK = [PROVISION_WORKSPACE, PURGE_USER, PURGE_WORKSPACE] as const;

export const provisionId = (workspace: string): string => `platform.provision-workspace:${workspace}`;

/** At most one is due for a user, so that an assignment can cancel it. */
export const purgeUserId = (accountId: string, user: string): string => `platform.purge-user:${accountId}/${user}`;
