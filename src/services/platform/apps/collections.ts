import { collection, number, set, text } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { type AclEntry, readersOf } from '../permissions/acl.ts';

export type ComputeState = 'STARTING' | 'ACTIVE' | 'STOPPING' | 'STOPPED' | 'UPDATING' | 'DELETING';
export type DeploymentState = 'IN_PROGRESS' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
export type UpdateState = 'IN_PROGRESS' | 'SUCCEEDED' | 'FAILED';

/** The service principal that an app runs as; created and removed with the app. */
export interface AppPrincipal {
  readonly id: string;
  readonly applicationId: string;
  readonly name: string;
}

/** An update of an app that completes later. */
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
  /** The configurable fields, as shown. */
  readonly fields: JsonMembers;
  readonly principal: AppPrincipal;
  readonly oauthClientId: string;
  readonly oauthIntegrationId: string;
  readonly compute: ComputeState;
  /** Ids of deployments: the running one and the one in progress. */
  readonly active?: string;
  readonly pending?: string;
  /** Source path of the last active deployment. */
  readonly sourcePath?: string;
  /** Reason why a deployed app does not run. */
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
  /** Orders deployments that were created at the same time. */
  readonly number: number;
  /** The fields of the request. */
  readonly fields: JsonMembers;
  readonly state: DeploymentState;
  readonly message: string;
  /** Reason why the deployment will fail. */
  readonly problem?: string;
}

export const appDeployments = collection<AppDeployment>('platform.app_deployments', {
  fields: { app: text((it) => it.appId), number: number((it) => it.number) },
  indexes: [['app', 'number']],
});

/** Key prefix of all deployments of an app. */
export const deploymentsOf = ({ workspaceId, id }: Pick<App, 'workspaceId' | 'id'>): string => `${workspaceId}/${id}/`;
export const deploymentKey = (app: Pick<App, 'workspaceId' | 'id'>, id: string): string => deploymentsOf(app) + id;

export const APP_COLLECTIONS = [apps, appDeployments] as const;
