import type { Reader } from '../../../kernel/store/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { textsOf } from '../engine/json.ts';
import type { ViewContext } from '../engine/kind.ts';
import { namesOf } from '../engine/names.ts';
import { type App, type AppDeployment, appDeployments, type ComputeState, deploymentKey } from './collections.ts';

const COMPUTE_MESSAGES: Readonly<Record<ComputeState, string>> = {
  STARTING: 'App compute is starting.',
  ACTIVE: 'App compute is running.',
  STOPPING: 'App compute is stopping.',
  STOPPED: 'App compute is stopped.',
  UPDATING: 'App compute is being updated.',
  DELETING: 'App is being deleted.',
};

function appStatus({ compute, active, pending, crash }: App): JsonMembers {
  if (compute !== 'ACTIVE' && compute !== 'UPDATING')
    return { state: 'UNAVAILABLE', message: 'App status is unavailable.' };
  if (pending !== undefined) return { state: 'DEPLOYING', message: 'App is being deployed.' };
  if (crash !== undefined) return { state: 'CRASHED', message: crash };
  if (active !== undefined) return { state: 'RUNNING', message: 'App is running.' };
  return {
    state: 'UNAVAILABLE',
    message: 'App has not been deployed yet. Run your app by deploying source code.',
  };
}

/** Scopes that every app has on behalf of its users. */
const USUAL_SCOPES = ['iam.access-control:read', 'iam.current-user:read'];

export const urlOf = ({ name, workspaceId }: App): string => `https://${name}-${workspaceId}.apps.localhost`;

export function deploymentView(app: App, deployment: AppDeployment, { nameOf }: ViewContext): JsonMembers {
  const { id, fields, state, message, creator, createdAt, updatedAt } = deployment;
  return {
    deployment_id: id,
    ...fields,
    deployment_artifacts: { source_code_path: `/Workspace/Users/${app.principal.applicationId}/src/${id}` },
    status: { state, message },
    creator: nameOf(creator),
    create_time: isoTime(createdAt),
    update_time: isoTime(updatedAt),
  };
}

function view(app: App, deployments: ReadonlyMap<string, AppDeployment>, names: ViewContext): JsonMembers {
  const { fields, principal, compute, active, pending } = app;
  const shown = (id: string | undefined): JsonMembers | undefined => {
    const found = id === undefined ? undefined : deployments.get(id);
    return found && deploymentView(app, found, names);
  };
  return omitAbsent({
    id: app.id,
    name: app.name,
    ...fields,
    url: urlOf(app),
    compute_status: { state: compute, message: COMPUTE_MESSAGES[compute] },
    app_status: appStatus(app),
    active_deployment: shown(active),
    pending_deployment: shown(pending),
    default_source_code_path: app.sourcePath,
    service_principal_id: Number(principal.id),
    service_principal_name: principal.name,
    service_principal_client_id: principal.applicationId,
    oauth2_app_client_id: app.oauthClientId,
    oauth2_app_integration_id: app.oauthIntegrationId,
    effective_user_api_scopes: [...new Set([...USUAL_SCOPES, ...textsOf(fields.user_api_scopes)])],
    effective_budget_policy_id: fields.budget_policy_id,
    creator: names.nameOf(app.creator),
    updater: names.nameOf(app.updater),
    create_time: isoTime(app.createdAt),
    update_time: isoTime(app.updatedAt),
  });
}

/** Apps with the deployments that they refer to. */
export async function appViews(
  reader: Reader,
  accountId: string,
  shown: readonly App[],
): Promise<readonly JsonMembers[]> {
  const deployments = new Map<string, AppDeployment>();
  const people = new Set<string>();
  for (const app of shown) {
    people.add(app.creator).add(app.updater);
    for (const id of [app.active, app.pending]) {
      const found = id === undefined ? undefined : (await reader.get(appDeployments, deploymentKey(app, id)))?.value;
      if (!found) continue;
      deployments.set(`${app.id}/${id}`, found);
      people.add(found.creator);
    }
  }
  const names = await namesOf(reader, accountId, people);
  return shown.map((app) => {
    const own = [app.active, app.pending].flatMap((id) => {
      const found = deployments.get(`${app.id}/${id}`);
      return found ? [[found.id, found] as const] : [];
    });
    return view(app, new Map(own), names);
  });
}

export const appView = async (reader: Reader, app: App): Promise<JsonMembers> =>
  (await appViews(reader, app.accountId, [app]))[0] as JsonMembers;

export const updateView = ({ update }: App): JsonMembers =>
  update
    ? { ...update.fields, status: { state: update.state, message: update.message } }
    : { status: { state: 'NOT_UPDATED', message: '' } };
