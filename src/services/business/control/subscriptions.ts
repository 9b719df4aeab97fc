import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { listAnswer, listOf, listQuery } from '../../../kernel/odata/index.ts';
import { type Jar, routeCode } from '../../../kernel/service/index.ts';
import type { Filter, Reader, Stored } from '../../../kernel/store/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import {
  REMOVAL_REASONS,
  type Removal,
  removals,
  type Subscription,
  type SubscriptionTarget,
  subscriptions,
} from '../webhooks/collection.ts';
import { businessControlErrors } from './subscription-errors.ts';
import { liveShape, removedShape } from './subscription-shapes.ts';

const Optional = Type.Optional;

const Described = {
  subscriptionId: Type.String(),
  tenantId: Type.String(),
  resource: Type.String(),
  api: Type.String(),
  set: Type.String(),
  company: Type.Object({ id: Type.String(), name: Type.String() }),
  notificationUrl: Type.String({ description: 'Without its query, which may hold a secret' }),
  userId: Type.String(),
  flow: Type.Boolean(),
  createdAt: Type.String(),
  modifiedAt: Type.String(),
  expirationDateTime: Type.String(),
};

const LiveView = Type.Object({ state: Type.Literal('live'), ...Described });

const RemovedView = Type.Object({
  state: Type.Literal('removed'),
  ...Described,
  removedAt: Type.String(),
  reason: Type.Enum([...REMOVAL_REASONS]),
  detail: Type.String(),
  removedBy: Optional(Type.String()),
});

const Counts = Type.Object({ live: Type.Integer(), removed: Type.Record(Type.String(), Type.Integer()) });

export const listLive = routeCode([], {
  query: listQuery(liveShape, {
    tenant: Optional(Type.String()),
    resource: Optional(Type.String({ description: 'A part of it' })),
  }),
  responses: { 200: listOf(LiveView, { counts: Counts }) },
  async handle(call) {
    const { jar, query } = call;
    const isLive: Filter = { op: 'gt', field: 'expires', value: jar.clock.now() };
    const filter: Filter =
      query.resource === undefined
        ? isLive
        : { op: 'and', args: [isLive, { op: 'contains', field: 'resource', value: query.resource }] };
    return listAnswer(call, {
      shape: liveShape,
      ...(query.tenant !== undefined && { prefix: `${query.tenant.toLowerCase()}/` }),
      filter,
      view: ({ value }) => liveView(value),
      more: { counts: await countsOf(jar) },
    });
  },
});

export const listRemoved = routeCode([], {
  query: listQuery(removedShape, {
    tenant: Optional(Type.String()),
    reason: Optional(Type.Enum([...REMOVAL_REASONS])),
  }),
  responses: { 200: listOf(RemovedView) },
  handle(call) {
    const { query } = call;
    const args: Filter[] = [];
    if (query.tenant !== undefined) args.push({ op: 'eq', field: 'tenant', value: query.tenant.toLowerCase() });
    if (query.reason !== undefined) args.push({ op: 'eq', field: 'reason', value: query.reason });
    return listAnswer(call, {
      shape: removedShape,
      ...(args.length > 0 && { filter: { op: 'and', args } }),
      order: [{ field: 'key', descending: true }],
      view: ({ value }) => removedView(value),
    });
  },
});

export const getOne = routeCode(['id'], {
  responses: { 200: Type.Union([LiveView, RemovedView]) },
  async handle({ jar, params }) {
    const live = await findLive(jar.store, jar, params.id);
    if (live) return ok(liveView(live.value));
    return ok(removedView(await findRemoved(jar.store, params.id)));
  },
});

export const markOne = routeCode(['id'], {
  body: Type.Object({ flow: Type.Boolean() }, { additionalProperties: false }),
  responses: { 200: LiveView },
  async handle({ jar, params, body }) {
    const marked = await jar.store.transact(async (tx) => {
      const known = await findLive(tx, jar, params.id);
      // Read again with a lock: a query takes none.
      const stored = known && (await tx.get(subscriptions, known.key));
      if (!stored) {
        const { reason } = await findRemoved(tx, params.id);
        throw businessControlErrors.SubscriptionRemoved({ id: params.id.slice(0, 150), reason });
      }
      const { flow: _flow, ...rest } = stored.value;
      return tx.put(subscriptions, stored.key, { ...rest, ...(body.flow && { flow: true }) });
    });
    return ok(liveView(marked.value));
  },
});

const byId = (id: string): Filter => ({ op: 'eq', field: 'subscriptionId', value: id.toLowerCase() });

async function findLive(reader: Reader, { clock }: Jar, id: string): Promise<Stored<Subscription> | undefined> {
  const { items } = await reader.query(subscriptions, { filter: byId(id), limit: 1 });
  return items[0] && items[0].value.expiresAt > clock.now() ? items[0] : undefined;
}

async function findRemoved(reader: Reader, id: string): Promise<Removal> {
  const { items } = await reader.query(removals, { filter: byId(id), limit: 1 });
  if (items[0]) return items[0].value;
  throw businessControlErrors.NoSuchSubscription({ id: id.slice(0, 150) });
}

async function countsOf({ store, clock }: Jar) {
  const live = await store.count(subscriptions, { filter: { op: 'gt', field: 'expires', value: clock.now() } });
  const removed: Record<string, number> = {};
  for (const reason of REMOVAL_REASONS) {
    removed[reason] = await store.count(removals, { filter: { op: 'eq', field: 'reason', value: reason } });
  }
  return { live, removed };
}

type Known = Omit<Removal, 'removedAt' | 'reason' | 'detail' | 'by'>;

function described(known: Known) {
  const { subscriptionId, tenantId, resource, target, shownUrl, userId, flow, createdAt, modifiedAt, expiresAt } =
    known;
  const { route, set, companyId, companyName }: SubscriptionTarget = target;
  return {
    subscriptionId,
    tenantId,
    resource,
    api: route,
    set,
    company: { id: companyId, name: companyName },
    notificationUrl: shownUrl,
    userId,
    flow: flow === true,
    createdAt: isoTime(createdAt),
    modifiedAt: isoTime(modifiedAt),
    expirationDateTime: isoTime(expiresAt),
  };
}

const liveView = (subscription: Subscription) => ({ state: 'live' as const, ...described(subscription) });

function removedView({ removedAt, reason, detail, by, ...known }: Removal) {
  return {
    state: 'removed' as const,
    ...described(known),
    removedAt: isoTime(removedAt),
    reason,
    detail,
    ...(by !== undefined && { removedBy: by }),
  };
}
