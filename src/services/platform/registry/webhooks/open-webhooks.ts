import { failureOf, replyOf, urlFor } from '../../../../kernel/delivery/index.ts';
import { uuid } from '../../../../kernel/ids/index.ts';
import { eq, type Reader } from '../../../../kernel/store/index.ts';
import { SECOND_MS } from '../../../../kernel/time/index.ts';
import { type JsonMembers, omitAbsent } from '../../../../kernel/values/index.ts';
import { errors } from '../../errors.ts';
import { accountIn, type PlatformCall, workspaceIn } from '../../jar.ts';
import { freeCount, takeCount } from '../../limits/take.ts';
import { Request } from '../../tracking/request.ts';
import { LONGEST_DESCRIPTION } from '../names.ts';
import { maxResults, searchPage } from '../search-page.ts';
import { type OpenWebhook, openWebhooks, webhookKey } from './collections.ts';
import { openMessage } from './open-deliver.ts';
import { exampleOf, OPEN_EVENTS, type OpenEvent } from './open-events.ts';
import { openPayload } from './open-notify.ts';
import { OPEN_WEBHOOK } from './policy-names.ts';
import { checkUrl } from './read-webhook.ts';

/** Webhooks of the open-source API. They subscribe to all models, so only administrators may manage them. */

const LONGEST_URL = 2048;
const LONGEST_SECRET = 4096;
const TIMEOUT_MS = 30 * SECOND_MS;
const PAGE = { usual: 100, most: 1000 };

const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });

type Call = PlatformCall;

const openWebhookView = ({ caller }: Pick<Call, 'caller'>, webhook: OpenWebhook): JsonMembers =>
  omitAbsent({
    webhook_id: webhook.id,
    name: webhook.name,
    description: webhook.description,
    url: urlFor(caller, webhook.url),
    events: webhook.events.map((event) => {
      const [entity, action] = event.split('/');
      return { entity, action };
    }),
    status: webhook.status,
    creation_timestamp: webhook.createdAt,
    last_updated_timestamp: webhook.updatedAt,
  });

/** 1 to 63 letters, digits, `.`, `_` and `-`, with a letter or digit at both ends. */
function readName(sent: Request): string | undefined {
  const name = sent.text('name');
  if (name === undefined) return undefined;
  const isGood = name.length <= 63 && /^[\w.-]+$/.test(name) && /^[a-z\d]/i.test(name) && /[a-z\d]$/i.test(name);
  if (isGood) return name;
  throw invalid(
    `Webhook name '${name.slice(0, 100)}' is invalid: it must have 1 to 63 letters, digits, dots, underscores and hyphens, and begin and end with a letter or digit.`,
  );
}

function readOpenEvents(sent: Request): readonly OpenEvent[] | undefined {
  if (!sent.has('events')) return undefined;
  const list = sent.list('events');
  if (list.length === 0) throw invalid('Webhook must have at least one event.');
  return [...new Set(list.map(readOpenEvent))];
}

function readOpenEvent(sent: Request): OpenEvent {
  const name = `${sent.need('entity')}/${sent.need('action')}`.toUpperCase();
  const event = OPEN_EVENTS.find((each) => each === name);
  if (event) return event;
  const [entity, action] = name.slice(0, 200).split('/');
  throw invalid(`Invalid action '${action}' for entity '${entity}'. Valid pairs are ${OPEN_EVENTS.join(', ')}.`);
}

function readOpenStatus(sent: Request): OpenWebhook['status'] | undefined {
  const status = sent.text('status');
  if (status === undefined || status === 'ACTIVE' || status === 'DISABLED') return status;
  throw invalid(`Invalid webhook status '${status.slice(0, 100)}'. Valid statuses are ACTIVE, DISABLED.`);
}

/** The webhook fields that a call contains; missing fields are absent. */
function readOpen(call: Call): Partial<Omit<OpenWebhook, 'id' | 'workspaceId' | 'accountId'>> {
  const sent = Request.of(call);
  const url = sent.short('url', LONGEST_URL);
  if (url !== undefined) checkUrl(url, call.jar.outbound.guard, 'url');
  const secret = sent.short('secret', LONGEST_SECRET);
  return omitAbsent({
    name: readName(sent),
    description: sent.short('description', LONGEST_DESCRIPTION),
    url,
    events: readOpenEvents(sent),
    secret: secret ? call.jar.vault.seal(secret) : undefined,
    status: readOpenStatus(sent),
  });
}

export async function createOpenWebhook(call: Call): Promise<JsonMembers> {
  const sent = Request.of(call);
  const { name, url, events, ...rest } = readOpen(call);
  if (name === undefined) throw sent.missing('name');
  if (url === undefined) throw sent.missing('url');
  if (!events) throw sent.missing('events');
  const { jar } = call;
  const workspaceId = workspaceIn(call).id;
  const now = jar.clock.now();
  const made: OpenWebhook = {
    id: uuid(),
    workspaceId,
    accountId: accountIn(call).id,
    name,
    url,
    events,
    status: 'ACTIVE',
    ...rest,
    createdAt: now,
    updatedAt: now,
  };
  await jar.store.transact(async (tx) => {
    await takeCount(tx, jar, { row: 'registry-webhooks', scope: [workspaceId] });
    await tx.put(openWebhooks, webhookKey(workspaceId, made.id), made);
  });
  return openWebhookView(call, made);
}

async function findOpen(call: Call, id: string, reader: Reader = call.jar.store): Promise<OpenWebhook> {
  const found = (await reader.get(openWebhooks, webhookKey(workspaceIn(call).id, id)))?.value;
  if (!found) throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `Webhook with ID ${id.slice(0, 100)} not found.` });
  return found;
}

export const getOpenWebhook = async (call: Call, id: string): Promise<JsonMembers> =>
  openWebhookView(call, await findOpen(call, id));

export async function updateOpenWebhook(call: Call, id: string): Promise<JsonMembers> {
  const { jar } = call;
  await findOpen(call, id);
  const said = readOpen(call);
  const changed = await jar.store.transact(async (tx) => {
    const after: OpenWebhook = { ...(await findOpen(call, id, tx)), ...said, updatedAt: jar.clock.now() };
    const destination = webhookKey(after.workspaceId, id);
    await tx.put(openWebhooks, destination, after);
    if (said.url !== undefined) await jar.delivery.forgive(tx, { policy: OPEN_WEBHOOK, destination });
    return after;
  });
  return openWebhookView(call, changed);
}

export async function deleteOpenWebhook(call: Call, id: string): Promise<void> {
  const { jar } = call;
  await jar.store.transact(async (tx) => {
    const { workspaceId } = await findOpen(call, id, tx);
    const destination = webhookKey(workspaceId, id);
    await tx.delete(openWebhooks, destination);
    await jar.delivery.cancel(tx, { policy: OPEN_WEBHOOK, destination });
    await freeCount(tx, jar, { row: 'registry-webhooks', scope: [workspaceId] });
  });
}

export async function listOpenWebhooks(call: Call): Promise<JsonMembers> {
  const sent = Request.of(call);
  const { items, next } = await searchPage<OpenWebhook>(call, sent.text('page_token'), {
    collection: openWebhooks,
    filter: eq('workspace', workspaceIn(call).id),
    order: [{ field: 'createdAt' }],
    size: maxResults(sent, PAGE.usual, PAGE.most),
    bound: [],
    keep: async (found) => found,
    matches: () => true,
  });
  return {
    ...(items.length > 0 && { webhooks: items.map((webhook) => openWebhookView(call, webhook)) }),
    ...(next !== undefined && { next_page_token: next }),
  };
}

/** Sends an example immediately and returns the outcome. */
export async function testOpenWebhook(call: Call, id: string): Promise<JsonMembers> {
  const { jar } = call;
  const webhook = await findOpen(call, id);
  const sent = Request.of(call).member('event');
  const event = sent ? readOpenEvent(sent) : (webhook.events[0] as OpenEvent);
  const body = openPayload(event, exampleOf(event), jar.clock.now());
  const reply = await jar.outbound
    .send({ ...openMessage(webhook, uuid(), body, jar), timeoutMs: TIMEOUT_MS })
    .then((answer) => replyOf(answer), failureOf);
  return omitAbsent({
    success: reply.status !== undefined && reply.status < 400,
    response_status: reply.status,
    response_body: reply.status === undefined ? undefined : reply.body,
    error_message: reply.error,
  });
}
