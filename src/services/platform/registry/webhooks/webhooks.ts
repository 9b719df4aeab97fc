import { urlFor } from '../../../../kernel/delivery/index.ts';
import { uuid } from '../../../../kernel/ids/index.ts';
import { allOf, eq, type Reader, type Stored } from '../../../../kernel/store/index.ts';
import { type JsonMembers, omitAbsent } from '../../../../kernel/values/index.ts';
import { nameOf } from '../../access/standing.ts';
import { errors } from '../../errors.ts';
import { accountIn, callerIdentity, type PlatformCall, workspaceIn } from '../../jar.ts';
import { takeCount } from '../../limits/take.ts';
import { requireLevel } from '../../permissions/guard.ts';
import { isAdmin } from '../../permissions/object.ts';
import { Request } from '../../tracking/request.ts';
import { modelKey, models, type RegisteredModel } from '../collections.ts';
import { findModel, guardOf, readableModels } from '../find.ts';
import { maxResults, searchPage } from '../search-page.ts';
import { removeWebhook } from './cancel.ts';
import { placeOf, type RegistryWebhook, webhookKey, webhooks } from './collections.ts';
import { policyFor } from './policy-names.ts';
import { eventNamed, readDescription, readEvents, readStatus, readTarget } from './read-webhook.ts';

/** Wire form of a webhook, without its secrets. */
export function webhookView(
  { caller }: Pick<PlatformCall, 'caller'>,
  webhook: RegistryWebhook,
  model: RegisteredModel | undefined,
): JsonMembers {
  const { id, events, description, status, target, createdAt, updatedAt } = webhook;
  return omitAbsent({
    id,
    events,
    creation_timestamp: createdAt,
    last_updated_timestamp: updatedAt,
    description,
    status,
    http_url_spec:
      target.kind === 'http'
        ? { url: urlFor(caller, target.url), enable_ssl_verification: target.verifiesCertificate }
        : undefined,
    job_spec:
      target.kind === 'job'
        ? omitAbsent({
            job_id: target.jobId,
            workspace_url: target.workspaceUrl && urlFor(caller, target.workspaceUrl),
          })
        : undefined,
    model_name: model?.name,
  });
}

/** Only administrators may manage webhooks of all models. */
function requireAdmin(call: PlatformCall): void {
  if (isAdmin(call)) return;
  const user = nameOf(callerIdentity(call).principal);
  throw errors.PERMISSION_DENIED__NotAdmin({ user, workspace: workspaceIn(call).id });
}

export async function createWebhook(call: PlatformCall): Promise<JsonMembers> {
  const sent = Request.of(call);
  const { jar } = call;
  const workspace = workspaceIn(call);
  const modelName = sent.text('model_name') || undefined;
  if (modelName === undefined) requireAdmin(call);
  else await findModel(call, modelName, 'CAN_MANAGE');
  const events = readEvents(sent, modelName !== undefined);
  if (!events) throw sent.missing('events');
  const target = readTarget(sent, { vault: jar.vault, guard: jar.outbound.guard });
  if (!target) throw errors.INVALID_PARAMETER_VALUE({ reason: 'A webhook needs an http_url_spec or a job_spec.' });
  const description = readDescription(sent);
  const status = readStatus(sent) ?? 'ACTIVE';
  const made = await jar.store.transact(async (tx) => {
    const model = modelName === undefined ? undefined : await findModel(call, modelName, 'CAN_MANAGE', tx);
    const now = jar.clock.now();
    const webhook: RegistryWebhook = {
      id: uuid().replaceAll('-', ''),
      workspaceId: workspace.id,
      accountId: accountIn(call).id,
      ...(model && { modelId: model.id }),
      events,
      ...(description !== undefined && { description }),
      status,
      target,
      createdAt: now,
      updatedAt: now,
    };
    await takeCount(tx, jar, { row: 'registry-webhooks', scope: [workspace.id] });
    await tx.put(webhooks, webhookKey(workspace.id, webhook.id), webhook);
    return { webhook, model };
  });
  return webhookView(call, made.webhook, made.model);
}

interface FoundWebhook {
  readonly webhook: RegistryWebhook;
  readonly model: RegisteredModel | undefined;
}

const noSuchWebhook = (id: string) =>
  errors.RESOURCE_DOES_NOT_EXIST({ reason: `Webhook with id=${id.slice(0, 100)} not found` });

/** The webhook, if the caller may change it. */
export async function findWebhook(
  call: PlatformCall,
  id: string,
  reader: Reader = call.jar.store,
): Promise<FoundWebhook> {
  const workspaceId = workspaceIn(call).id;
  const webhook = (await reader.get(webhooks, webhookKey(workspaceId, id)))?.value;
  if (!webhook) throw noSuchWebhook(id);
  if (webhook.modelId === undefined) {
    requireAdmin(call);
    return { webhook, model: undefined };
  }
  const model = (await reader.get(models, modelKey(workspaceId, webhook.modelId), 'none'))?.value;
  if (!model) throw noSuchWebhook(id);
  requireLevel(call, await guardOf(call, model, reader), 'CAN_MANAGE');
  return { webhook, model };
}

export async function getWebhook(call: PlatformCall): Promise<JsonMembers> {
  const { webhook, model } = await findWebhook(call, Request.of(call).need('id'));
  return webhookView(call, webhook, model);
}

/**
 * Omitted fields keep their values. A new target resets the failure state of its destination, so that failures of the old target do not
 * delay pending deliveries.
 */
export async function updateWebhook(call: PlatformCall): Promise<JsonMembers> {
  const sent = Request.of(call);
  const id = sent.need('id');
  const { jar } = call;
  const before = await findWebhook(call, id);
  const events = readEvents(sent, before.webhook.modelId !== undefined);
  const status = readStatus(sent);
  const description = readDescription(sent);
  const sealing = { vault: jar.vault, guard: jar.outbound.guard };
  const changed = await jar.store.transact(async (tx) => {
    const { webhook, model } = await findWebhook(call, id, tx);
    const target = readTarget(sent, sealing, webhook.target);
    const after: RegistryWebhook = {
      ...webhook,
      ...omitAbsent({ events, status, description, target }),
      updatedAt: jar.clock.now(),
    };
    await tx.put(webhooks, webhookKey(webhook.workspaceId, id), after);
    if (target) {
      const destination = webhookKey(webhook.workspaceId, id);
      // Deliveries queued for the old kind of target cannot be sent to the new kind.
      if (target.kind !== webhook.target.kind)
        await jar.delivery.cancel(tx, { policy: policyFor(webhook.target), destination });
      await jar.delivery.forgive(tx, { policy: policyFor(target), destination });
    }
    return { webhook: after, model };
  });
  return webhookView(call, changed.webhook, changed.model);
}

export async function deleteWebhook(call: PlatformCall): Promise<void> {
  const id = Request.of(call).need('id');
  await call.jar.store.transact(async (tx) => {
    const { webhook } = await findWebhook(call, id, tx);
    await removeWebhook(tx, call.jar, webhook);
  });
}

const MOST = 1000;

/**
 * With `model_name`: the webhooks of that model. Otherwise: the webhooks of all models, and those of single models that the caller may
 * read.
 */
export async function listWebhooks(call: PlatformCall): Promise<JsonMembers> {
  const sent = Request.of(call);
  const { store } = call.jar;
  const workspaceId = workspaceIn(call).id;
  const modelName = sent.text('model_name') || undefined;
  const only = modelName === undefined ? undefined : await findModel(call, modelName, 'CAN_READ');
  const events = sent.texts('events').map(eventNamed);
  const readable = await readableModels(call);
  const known = new Map<string, RegisteredModel>();
  /** Leaves out webhooks of models that are deleted or that the caller may not read. */
  const keep = async (found: readonly Stored<RegistryWebhook>[]) => {
    const refs = found.flatMap(({ value }) =>
      value.modelId === undefined ? [] : [modelKey(workspaceId, value.modelId)],
    );
    const values = [...new Set(refs)].filter((ref) => !known.has(ref));
    if (values.length > 0) {
      const filter = allOf({ op: 'in', field: 'ref', values }, readable);
      for (const { key, value } of (await store.query(models, { filter, limit: values.length })).items)
        known.set(key, value);
    }
    return found.filter(({ value }) => value.modelId === undefined || known.has(modelKey(workspaceId, value.modelId)));
  };
  const { items, next } = await searchPage<RegistryWebhook>(call, sent.text('page_token'), {
    collection: webhooks,
    filter: allOf(
      eq('workspace', workspaceId),
      only && eq('place', placeOf(workspaceId, only.id)),
      events.length === 0 ? undefined : { op: 'hasAny', field: 'events', values: events },
    ),
    order: [{ field: 'createdAt' }],
    size: maxResults(sent, MOST, MOST),
    bound: [modelName ?? '', events],
    keep,
    matches: () => true,
  });
  const modelOf = ({ modelId }: RegistryWebhook) =>
    modelId === undefined ? undefined : known.get(modelKey(workspaceId, modelId));
  return {
    ...(items.length > 0 && { webhooks: items.map((webhook) => webhookView(call, webhook, modelOf(webhook))) }),
    ...(next !== undefined && { next_page_token: next }),
  };
}
