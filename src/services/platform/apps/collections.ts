import { collection, number, set, text } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { type AclEntry, readersOf } from '../permissions/acl.ts';

export type ComputeState = 'STARTING' | 'ACTIVE' | 'STOPPING' | 'STOPPED' | 'UPDATING' | 'DELETING';
export type DeploymentState = 'IN_PROGRESS' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
export type UpdateState = 'IN_PROGRESS' | 'SUCCEEDED' | 'FAILED';

/** The service principal that an app acts as; made and removed with the app. */
export interface AppPrincipal {
  readonly id: string;
  readonly applicationId: string;
  readonly name: string;
}

/** A change that takes its time. */
export interface AppUpdate {
  readonly fields: JsonMembers;
  readonly state: UpdateState;
  readonly message: string;
}

/** An app. The key is `appKey`. */
export interface App {
  readonly id: string;
  readonly name: string;
  readonly workspaceId: string;
  readonly accountId: string;
  readonly acl: readonly AclEntry[];
  readonly creator: string;
  readonly updater: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** What may be said of it, as it is shown. */
  readonly fields: JsonMembers;
  readonly principal: AppPrincipal;
  readonly oauthClientId: string;
  readonly oauthIntegrationId: string;
  readonly compute: ComputeState;
  /** Ids of deployments: the one that runs, and the one that is being made. */
  readonly active?: string;
  readonly pending?: string;
  /** Of the last active deployment. */
  readonly sourcePath?: string;
  /** Why the app does not run although it was deployed. */
  readonly crash?: string;
  readonly update?: AppUpdate;
}

export const apps = collection<App>('platform.apps', {
  fields: {
    workspace: text((it) => it.workspaceId),
    name: text((it) => it.name),
    space: text(({ fields }) => (typeof fields.space === 'string' ? fields.space : undefined)),
    readers: set(readersOf),
  },
  indexes: [['workspace', 'name']],
});

export const appKey = (workspaceId: string, name: string): string => `${workspaceId}/${name}`;
export const keyOf = ({ workspaceId, name }: Pick<App, 'workspaceId' | 'name'>): string => appKey(workspaceId, name);

/** One deployment of an app. The key is `deploymentKey`. */
export interface AppDeployment {
  readonly id: string;
  readonly appId: string;
  readonly creator: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Breaks ties of deployments that were made at the same time. */
  readonly number: number;
  /** What was sent. */
  readonly fields: JsonMembers;
  readonly state: DeploymentState;
  readonly message: string;
  /** Why it is going to fail. */
  readonly problem?: string;
}

export const appDeployments = collection<AppDeployment>('platform.app_deployments', {
  fields: { app: text((it) => it.appId), number: number((it) => it.number) },
  indexes: [['app', 'number']],
});

/** What the keys of all deployments of an app begin with. */
export const deploymentsOf = ({ workspaceId, id }: Pick<App, 'workspaceId' | 'id'>): string => `${workspaceId}/${id}/`;
export const deploymentKey = (app: Pick<App, 'workspaceId' | 'id'>, id: string): string => deploymentsOf(app) + id;

export const APP_COLLECTIONS = [apps, appDeployments] as const;
