import { type Static, Type } from 'typebox';
import { noContent, ok, type Route } from '../../kernel/http/index.ts';
import { listAnswer, listOf, listQuery } from '../../kernel/odata/index.ts';
import type { Jar } from '../../kernel/service/index.ts';
import type { Filter } from '../../kernel/store/index.ts';
import { isReader, route } from '../family.ts';
import { BehaviourSchema, BehaviourView, behaviourView, readBehaviour } from './behaviour.ts';
import { MOST_INBOXES, MOST_REQUESTS } from './bounds.ts';
import { type Inbox, inboxes, inboxRequests, requestKey } from './collections.ts';
import { inboxErrors } from './errors.ts';
import { inboxShape, requestShape } from './lists.ts';
import { readName } from './receive.ts';
import { openInbox, readersView, requestView } from './record.ts';

const Values = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]));

const RequestView = Type.Object({
  id: Type.String(),
  at: Type.String(),
  inbox: Type.String(),
  method: Type.String(),
  path: Type.String(),
  query: Values,
  headers: Values,
  body: Type.String(),
  bodyEncoding: Type.Enum(['utf8', 'base64']),
  bodyBytes: Type.Integer(),
  truncated: Type.Boolean(),
  handshake: Type.Union([
    Type.Object({ kind: Type.String(), answered: Type.Boolean(), url: Type.Optional(Type.String()) }),
    Type.Null(),
  ]),
  answered: Type.Object({ status: Type.Integer(), delayMs: Type.Optional(Type.Integer()) }),
});

const ListQuery = listQuery(requestShape, {
  method: Type.Optional(Type.String({ description: 'Only requests with this method' })),
  path: Type.Optional(Type.String({ description: 'Only paths with this prefix' })),
  status: Type.Optional(Type.Integer({ description: 'Only requests that were answered with this status' })),
  handshake: Type.Optional(Type.Boolean({ description: 'true: only handshakes; false: only other requests' })),
});

const InboxView = Type.Object({
  name: Type.String(),
  url: Type.String(),
  received: Type.Integer(),
  kept: Type.Integer(),
  bytes: Type.Integer(),
  createdAt: Type.String(),
  lastAt: Type.Union([Type.String(), Type.Null()]),
  behaviour: BehaviourView,
});

/** Routes for the owner of the jar: reading and configuring inboxes. */
export const inboxControlRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/_jar/inbox',
    operation: 'Jar_ListInboxes',
    summary: 'The inboxes with the number and size of their requests',
    query: listQuery(inboxShape),
    responses: { 200: listOf(InboxView) },
    handle: (call) => listAnswer(call, { shape: inboxShape, view: ({ value }) => inboxView(value, call.origin) }),
  }),
  route({
    method: 'DELETE',
    path: '/_jar/inbox',
    operation: 'Jar_RemoveInboxes',
    summary: 'Removes all inboxes, or the named one, with their requests and behaviours',
    // In the query, because a DELETE of the address of an inbox is a message to it.
    query: Type.Object(
      { name: Type.Optional(Type.String({ description: 'Removes only this inbox' })) },
      { additionalProperties: false },
    ),
    responses: { 200: Type.Object({ removed: Type.Integer({ description: 'Number of removed inboxes' }) }) },
    async handle({ jar, query }) {
      if (query.name !== undefined) {
        const name = readName(query.name);
        const found = await jar.store.get(inboxes, name);
        if (found) await emptyInbox(jar, name, true);
        return ok({ removed: found ? 1 : 0 });
      }
      const { items } = await jar.store.query(inboxes, { limit: MOST_INBOXES });
      for (const { key } of items) await emptyInbox(jar, key, true);
      return ok({ removed: items.length });
    },
  }),
  route({
    method: 'GET',
    path: '/_jar/inbox/{name}/requests',
    operation: 'Jar_ListInboxRequests',
    summary: 'The requests that an inbox has received, oldest first',
    query: ListQuery,
    responses: { 200: listOf(RequestView) },
    handle(call) {
      const { query } = call;
      const name = readName(call.params.name);
      const filters = filtersOf(query);
      return listAnswer(call, {
        shape: requestShape,
        prefix: `${name}/`,
        ...(filters.length > 0 && { filter: { op: 'and', args: filters } }),
        view: ({ value }) => (isReader(call) ? readersView(value) : requestView(value)),
      });
    },
  }),
  route({
    method: 'DELETE',
    path: '/_jar/inbox/{name}/requests',
    operation: 'Jar_EmptyInbox',
    summary: 'Removes the requests of an inbox; the numbering continues',
    responses: { 200: Type.Object({ removed: Type.Integer() }) },
    handle: async ({ jar, params }) => ok({ removed: await emptyInbox(jar, readName(params.name), false) }),
  }),
  route({
    method: 'GET',
    path: '/_jar/inbox/{name}/requests/{id}',
    operation: 'Jar_GetInboxRequest',
    summary: 'One request that an inbox has received',
    responses: { 200: RequestView },
    async handle({ jar, params, facts }) {
      const name = readName(params.name);
      const number = /^\d{1,15}$/.test(params.id) ? Number(params.id) : 0;
      const found = await jar.store.get(inboxRequests, requestKey(name, number));
      if (!found) throw inboxErrors.NoSuchRequest({ name, id: params.id.slice(0, 40) });
      return ok(isReader({ facts }) ? readersView(found.value) : requestView(found.value));
    },
  }),
  route({
    method: 'GET',
    path: '/_jar/inbox/{name}/behaviour',
    operation: 'Jar_GetInboxBehaviour',
    summary: 'How an inbox answers, and how many failures are left',
    responses: { 200: BehaviourView },
    async handle({ jar, params }) {
      const found = await jar.store.get(inboxes, readName(params.name));
      return ok(behaviourView(found?.value ?? { failed: 0 }));
    },
  }),
  route({
    method: 'PUT',
    path: '/_jar/inbox/{name}/behaviour',
    operation: 'Jar_PutInboxBehaviour',
    summary: 'Sets how an inbox answers; missing properties get their defaults, and the count of failures restarts',
    body: BehaviourSchema,
    responses: { 200: BehaviourView },
    async handle({ jar, params, body, receivedAt }) {
      const name = readName(params.name);
      const behaviour = readBehaviour(body);
      const inbox = await jar.store.transact(async (tx) => {
        const before = await openInbox(tx, name, receivedAt);
        return (await tx.put(inboxes, name, { ...before, behaviour, failed: 0 })).value;
      });
      return ok(behaviourView(inbox));
    },
  }),
  route({
    method: 'DELETE',
    path: '/_jar/inbox/{name}/behaviour',
    operation: 'Jar_RemoveInboxBehaviour',
    summary: 'Resets the behaviour of an inbox to its defaults',
    responses: { 204: 'Done' },
    async handle({ jar, params }) {
      const name = readName(params.name);
      await jar.store.transact(async (tx) => {
        const before = await tx.get(inboxes, name);
        if (!before) return;
        const { behaviour: _, ...inbox } = before.value;
        await tx.put(inboxes, name, { ...inbox, failed: 0 });
      });
      return noContent();
    },
  }),
];

function filtersOf({ method, path, status, handshake }: Static<typeof ListQuery>): Filter[] {
  const filters: Filter[] = [];
  if (method !== undefined) filters.push({ op: 'eq', field: 'method', value: method.toUpperCase() });
  if (path !== undefined) filters.push({ op: 'startsWith', field: 'path', value: path });
  if (status !== undefined) filters.push({ op: 'eq', field: 'status', value: status });
  if (handshake !== undefined) filters.push({ op: 'eq', field: 'handshake', value: handshake });
  return filters;
}

/** Returns the number of removed requests. */
export function emptyInbox(jar: Pick<Jar, 'store'>, name: string, entirely: boolean): Promise<number> {
  return jar.store.transact(async (tx) => {
    const inbox = await tx.get(inboxes, name);
    if (!inbox) return 0;
    const { items } = await tx.query(inboxRequests, { prefix: `${name}/`, limit: MOST_REQUESTS + 1 });
    for (const { key } of items) await tx.delete(inboxRequests, key);
    if (entirely) await tx.delete(inboxes, name);
    else await tx.put(inboxes, name, { ...inbox.value, kept: 0, bytes: 0 });
    return items.length;
  });
}

function inboxView(inbox: Inbox, origin: string): object {
  const { name, next, kept, bytes, createdAt, lastAt } = inbox;
  return {
    name,
    url: `${origin}/_jar/inbox/${name}`,
    received: next - 1,
    kept,
    bytes,
    createdAt: new Date(createdAt).toISOString(),
    lastAt: lastAt === null ? null : new Date(lastAt).toISOString(),
    behaviour: behaviourView(inbox),
  };
}
