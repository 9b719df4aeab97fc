import { Type } from 'typebox';
import { deliveries, destinations, laneOfEnded } from '../../kernel/delivery/index.ts';
import { namedScope } from '../../kernel/limits/index.ts';
import type { Jar } from '../../kernel/service/index.ts';
import { type KindStats, MOST_COUNTED, type StoredWork, workItems } from '../../kernel/store/index.ts';
import { isoTime } from '../../kernel/time/index.ts';
import type { WorkNames } from '../work-names.ts';

const MOST_LIMITS = 10;
const MOST_PARKED = 20;

const Count = Type.Integer({ minimum: 0, description: `Counted up to ${MOST_COUNTED.toLocaleString('en')}` });
const Title = Type.Optional(Type.String({ description: 'What the work does, in words' }));
const OptionalTime = Type.Union([Type.String(), Type.Null()]);

export const QueuesSchema = Type.Array(
  Type.Object({
    kind: Type.String(),
    title: Title,
    waiting: Type.Integer({ minimum: 0, description: 'Due or due later' }),
    due: Count,
    leased: Count,
    parked: Count,
    oldestDueAt: OptionalTime,
  }),
  { description: 'Due work by kind' },
);

export const TopLimitsSchema = Type.Array(
  Type.Object({
    name: Type.String(),
    title: Type.String(),
    scope: Type.Record(Type.String(), Type.String()),
    used: Type.Number(),
    limit: Type.Number(),
    unit: Type.String(),
    resetsAt: Type.Union([Type.String(), Type.Null()], {
      description: 'End of a fixed window, or when a bucket is full again; null if the use does not end at one time',
    }),
  }),
  { description: `The ${MOST_LIMITS} scopes that have used most of their limit, the fullest first` },
);

export const ParkedSchema = Type.Array(
  Type.Object({
    id: Type.String(),
    kind: Type.String(),
    title: Title,
    dueAt: Type.String(),
    attempts: Type.Integer(),
    reason: Type.Union([Type.String(), Type.Null()]),
  }),
  { description: 'Due work that was abandoned after its last attempt, the latest first' },
);

export const DeliveriesSchema = Type.Object({
  failingDestinations: Type.Integer({ minimum: 0 }),
  deadLettered: Type.Integer({ minimum: 0, description: 'Kept deliveries that were dead-lettered' }),
  dropped: Type.Integer({ minimum: 0, description: 'Kept deliveries that were abandoned' }),
});

export async function queuesOf({ store, clock }: Pick<Jar, 'store' | 'clock'>, names: WorkNames) {
  return (await store.work.byKind(clock.now())).map((stats) => ({ ...names.titled(stats.kind), ...queueView(stats) }));
}

function queueView({ due, later, leased, parked, oldestDueAt }: KindStats) {
  return { waiting: due + later, due, leased, parked, oldestDueAt: optionalIso(oldestDueAt) };
}

export async function topLimits({ limits }: Pick<Jar, 'limits'>) {
  const fullest = await limits.fullest(MOST_LIMITS);
  return fullest.map(({ limit, scope, used, maximum, resetsAt }) => ({
    name: limit.name,
    title: limit.title,
    scope: namedScope(limit.scope, scope),
    used,
    limit: maximum,
    unit: limit.unit ?? 'requests',
    resetsAt: optionalIso(resetsAt),
  }));
}

export async function parkedWork({ store }: Pick<Jar, 'store'>, names: WorkNames) {
  const { items } = await store.query(workItems, {
    filter: { op: 'eq', field: 'state', value: 'parked' },
    order: [{ field: 'dueAt', descending: true }],
    limit: MOST_PARKED,
  });
  return items.map(({ value }) => ({ ...names.titled(value.kind), ...parkedView(value) }));
}

function parkedView({ id, dueAt, attempts, reason }: StoredWork) {
  return { id, dueAt: isoTime(dueAt), attempts, reason };
}

export async function deliveryFigures({ store }: Pick<Jar, 'store'>) {
  const ended = (state: 'dead-lettered' | 'dropped') =>
    store.count(deliveries, { filter: { op: 'eq', field: 'line', value: laneOfEnded(state) } });
  const [failingDestinations, deadLettered, dropped] = await Promise.all([
    store.count(destinations),
    ended('dead-lettered'),
    ended('dropped'),
  ]);
  return { failingDestinations, deadLettered, dropped };
}

const optionalIso = (at: number | undefined): string | null => (at === undefined ? null : isoTime(at));
