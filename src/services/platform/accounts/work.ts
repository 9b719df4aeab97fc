import { defineWork } from '../../../kernel/work/index.ts';

/** A workspace is set up: from then on it is RUNNING. */
export const PROVISION_WORKSPACE = defineWork<{ readonly workspace: string }>('platform.provision-workspace', {
  concurrency: 8,
});

/** A workspace was deleted, and what was in it is removed. */
export const PURGE_WORKSPACE = defineWork<DeletedWorkspace>('platform.purge-workspace', { concurrency: 2 });

export interface DeletedWorkspace {
  readonly id: string;
  readonly accountId: string;
}

export const ACCOUNT_WORK = [PROVISION_WORKSPACE, PURGE_WORKSPACE] as const;

export const provisionId = (workspace: string): string => `platform.provision-workspace:${workspace}`;
