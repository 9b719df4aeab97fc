import { Type } from 'typebox';
import { noContent, ok } from '../../../kernel/http/index.ts';
import { entityShape, type Item, listAnswer, listOf, listQuery } from '../../../kernel/odata/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { type OwnQueue, ownQueues, type QueuedMessage, queuedMessages } from '../collections.ts';
import {
  countMessages,
  deleteMessage,
  present,
  purgeMessages,
  receiveMessages,
} from '../destinations/own-queue-reads.ts';
import { type EventsCall, type EventsJar, routeCode } from '../jar.ts';
import { eventControlErrors } from './errors.ts';

const Optional = Type.Optional;
const SECOND = 1000;
/** Limits of storage queues. */
const DEFAULT_HIDDEN_SECONDS = 30;
const LONGEST_HIDDEN_SECONDS = 7 * 24 * 3600;
const LONGEST_SHOWN = 100;

/** Maximum number of messages in one receive. */
const MOST_RECEIVED = 500;

const Text = { type: 'Edm.String' } as const;
const Instant = { type: 'Edm.DateTimeOffset' } as const;

const queueShape = entityShape({
  name: 'queues',
  collection: ownQueues,
  properties: {
    id: { ...Text, field: 'key' },
    endpointType: Text,
    resourceId: Text,
    name: Text,
    createdAt: Instant,
  },
  scan: 'bounded',
});

const messageShape = entityShape({
  name: 'messages',
  collection: queuedMessages,
  properties: {
    id: { ...Text, read: ({ id }: SeenMessage) => id },
    contentType: Text,
    enqueuedAt: { ...Instant, field: 'enqueuedAt' },
    expiresAt: { ...Instant, field: 'expiresAt' },
    visibleAt: { ...Instant, field: 'visibleAt' },
    dequeueCount: { type: 'Edm.Int64' },
  },
  scan: 'bounded',
});

/** The stored value has no id; it is part of the key. */
type SeenMessage = QueuedMessage & { readonly id: string };

const seenMessage = ({ key, value }: Item<QueuedMessage>): SeenMessage => ({ ...value, id: idOf(key) });

const QueueView = Type.Object({
  id: Type.String(),
  endpointType: Type.String(),
  resourceId: Type.String(),
  name: Type.String(),
  createdAt: Type.String(),
  messages: Type.Object({ total: Type.Integer(), visible: Type.Integer(), hidden: Type.Integer() }),
});

const MessageView = Type.Object({
  id: Type.String(),
  contentType: Type.String(),
  properties: Type.Record(Type.String(), Type.String()),
  body: Type.Unknown({ description: 'The parsed value if it is JSON, otherwise the text' }),
  enqueuedAt: Type.String(),
  expiresAt: Type.Union([Type.String(), Type.Null()]),
  visibleAt: Type.String(),
  dequeueCount: Type.Integer(),
  receipt: Optional(Type.String()),
});

export const listQueues = routeCode([], {
  query: listQuery(queueShape),
  responses: { 200: listOf(QueueView) },
  handle: (call) => listAnswer(call, { shape: queueShape, view: ({ value }) => queueView(call.jar, value) }),
});

export const peek = routeCode(['queue'], {
  query: listQuery(messageShape),
  responses: { 200: listOf(MessageView) },
  async handle(call) {
    const filter = present(await findQueue(call), call.jar.clock.now());
    const order = [{ field: 'enqueuedAt' }];
    return listAnswer(call, { shape: messageShape, filter, order, seen: seenMessage, view: peekView });
  },
});

export const receive = routeCode(['queue'], {
  body: Type.Object(
    {
      max: Optional(Type.Integer({ minimum: 1, maximum: MOST_RECEIVED })),
      visibilityTimeout: Optional(
        Type.Integer({
          minimum: 0,
          maximum: LONGEST_HIDDEN_SECONDS,
          description: "Seconds, by the jar's clock, until others can receive it; default 30",
        }),
      ),
    },
    { additionalProperties: false },
  ),
  bodyOptional: true,
  responses: { 200: Type.Object({ value: Type.Array(MessageView) }) },
  async handle(call) {
    const { jar, body } = call;
    const queue = await findQueue(call);
    const { max = 1, visibilityTimeout = DEFAULT_HIDDEN_SECONDS } = body ?? {};
    const received = await receiveMessages(jar, queue, max, visibilityTimeout * SECOND);
    return ok({ value: received.map((each) => receivedView(jar, each)) });
  },
});

export const remove = routeCode(['queue', 'message'], {
  query: Type.Object(
    {
      receipt: Optional(
        Type.String({
          description: 'Receipt of the latest receive; without it, the message is deleted unconditionally',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  responses: { 204: 'Deleted' },
  async handle(call) {
    const { jar, params, query } = call;
    const queue = await findQueue(call);
    const shown = { queue, message: params.message.slice(0, LONGEST_SHOWN) };
    const deletion = await deleteMessage(jar, queue, params.message, query.receipt);
    if (deletion === 'missing') throw eventControlErrors.NoSuchMessage(shown);
    if (deletion === 'not yours') throw eventControlErrors.ReceiptOutdated(shown, { target: 'receipt' });
    return noContent();
  },
});

export const purge = routeCode(['queue'], {
  responses: { 200: Type.Object({ removed: Type.Integer() }) },
  async handle(call) {
    return ok({ removed: await purgeMessages(call.jar, await findQueue(call)) });
  },
});

async function findQueue({
  jar,
  params,
}: Pick<EventsCall<{ readonly queue: string }>, 'jar' | 'params'>): Promise<string> {
  const queue = params.queue.toLowerCase();
  if (!(await jar.store.cached(ownQueues, queue)) && !(await jar.store.get(ownQueues, queue))) {
    throw eventControlErrors.NoSuchQueue({ queue: queue.slice(0, LONGEST_SHOWN) });
  }
  return queue;
}

async function queueView(jar: EventsJar, { createdAt, ...queue }: OwnQueue): Promise<object> {
  const { total, hidden } = await countMessages(jar, queue.id);
  return { ...queue, createdAt: isoTime(createdAt), messages: { total, visible: total - hidden, hidden } };
}

const idOf = (key: string): string => key.slice(key.indexOf('/') + 1);

/** View for reading without receiving: no receipt and no secret attributes. */
function peekView({ key, value }: Item<QueuedMessage>): object {
  const { body, contentType, properties, enqueuedAt, expiresAt, visibleAt, dequeueCount } = value;
  return {
    id: idOf(key),
    contentType,
    properties,
    body: shown(body, contentType),
    enqueuedAt: isoTime(enqueuedAt),
    expiresAt: expiresAt === undefined ? null : isoTime(expiresAt),
    visibleAt: isoTime(visibleAt),
    dequeueCount,
  };
}

/** View for a receiver: as a broker would deliver the message, with its secret attributes. */
function receivedView(jar: EventsJar, stored: Item<QueuedMessage>): object {
  const { receipt, sealed, properties } = stored.value;
  const secrets = sealed === undefined ? {} : (JSON.parse(jar.vault.open(sealed)) as Record<string, string>);
  return { ...peekView(stored), properties: { ...properties, ...secrets }, receipt };
}

function shown(body: string, contentType: string): unknown {
  if (!/json/i.test(contentType)) return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
