import { failureOf, type Reply, replyOf } from '../../../../kernel/delivery/index.ts';
import { uuid } from '../../../../kernel/ids/index.ts';
import { SECOND_MS } from '../../../../kernel/time/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { nameOf } from '../../access/standing.ts';
import { callerIdentity, type PlatformCall, type PlatformJar } from '../../jar.ts';
import { Request } from '../../tracking/request.ts';
import type { ModelVersion, RegisteredModel } from '../collections.ts';
import type { RegistryChange } from '../registry-changes.ts';
import { STAGES } from '../stages.ts';
import type { RegistryWebhook } from './collections.ts';
import { messageTo } from './deliver.ts';
import { contentOf, type RegistryEvent } from './events.ts';
import { payloadOf } from './notify.ts';
import { eventNamed } from './read-webhook.ts';
import { runJob } from './run-job.ts';
import { findWebhook } from './webhooks.ts';

const TIMEOUT_MS = 30 * SECOND_MS;

/** Sends a test message immediately, whatever the status of the webhook, and returns the outcome. */
export async function testWebhook(call: PlatformCall): Promise<JsonMembers> {
  const sent = Request.of(call);
  const { webhook, model } = await findWebhook(call, sent.need('id'));
  const word = sent.text('event');
  const event = word === undefined ? (webhook.events[0] as RegistryEvent) : eventNamed(word);
  const { jar } = call;
  const by = callerIdentity(call).principal;
  const content = contentOf(madeUp(jar, event, webhook, model, by.id), nameOf(by));
  const body = payloadOf(webhook, event, jar.clock.now(), content);
  const { status = 0, body: answered, error } = await send(jar, webhook, body);
  // The published client reads `status_code`; the documentation shows `status`.
  return { status_code: status, status, body: error ?? answered };
}

async function send(jar: PlatformJar, { workspaceId, target }: RegistryWebhook, body: string): Promise<Reply> {
  try {
    if (target.kind === 'job') return await runJob(jar, workspaceId, target, body, `test-${uuid()}`);
    return replyOf(await jar.outbound.send({ ...messageTo(target, body, jar), timeoutMs: TIMEOUT_MS }));
  } catch (error) {
    return failureOf(error);
  }
}

/** An example of a registry event for a webhook event. */
function madeUp(
  { clock }: PlatformJar,
  event: RegistryEvent,
  { workspaceId, accountId }: RegistryWebhook,
  of: RegisteredModel | undefined,
  by: string,
): RegistryChange {
  const now = clock.now();
  const model: RegisteredModel = of ?? {
    id: '',
    workspaceId,
    accountId,
    name: 'example_model',
    tags: [],
    aliases: [],
    creator: by,
    acl: [],
    createdAt: now,
    updatedAt: now,
    lastVersion: 1,
    latest: {},
  };
  const version: ModelVersion = {
    workspaceId,
    accountId,
    modelId: model.id,
    name: model.name,
    number: 1,
    stage: 'None',
    source: 'dbfs:/example',
    location: 'dbfs:/example',
    tags: [],
    status: 'READY',
    creator: by,
    createdAt: now,
    updatedAt: now,
  };
  const to = STAGES.find((stage) => event.includes(`_TO_${stage.toUpperCase()}`)) ?? 'Staging';
  const comment = 'This is a test.';
  if (event === 'REGISTERED_MODEL_CREATED') return { model, by, what: 'model-created' };
  if (event === 'MODEL_VERSION_CREATED') return { model, by, what: 'version-created', version };
  if (event === 'COMMENT_CREATED') return { model, by, what: 'comment-created', version, comment };
  if (event === 'MODEL_VERSION_TAG_SET')
    return { model, by, what: 'version-tag-set', version, tag: { key: 'example_key', value: 'example_value' } };
  if (event.startsWith('TRANSITION_REQUEST')) return { model, by, what: 'transition-requested', version, to, comment };
  return { model, by, what: 'stage-changed', version, from: 'None', to };
}
