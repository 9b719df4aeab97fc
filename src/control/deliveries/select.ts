import { type Static, Type } from 'typebox';
import { firstIdAt } from '../../kernel/delivery/ids.ts';
import {
  DELIVERY_STATES,
  deliveries,
  laneOfEnded,
  laneOfQueue,
  queueOf,
  shortened,
} from '../../kernel/delivery/records.ts';
import { apiError, compileFilter, entityShape, ODataError, type PropertyShape } from '../../kernel/odata/index.ts';
import type { Filter, Position } from '../../kernel/store/types.ts';
import { deliveryErrors } from './errors.ts';

/** What deliveries can be chosen by; all that are given have to hold. */
export const FILTERS = {
  // An empty one would mean all of them: that is for who gives none.
  $filter: Type.Optional(
    Type.String({ pattern: '\\S', description: 'What the others cannot say; see the page on OData' }),
  ),
  state: Type.Optional(Type.Enum([...DELIVERY_STATES])),
  service: Type.Optional(Type.String()),
  policy: Type.Optional(Type.String()),
  owner: Type.Optional(Type.String()),
  destination: Type.Optional(Type.String()),
  subject: Type.Optional(Type.String()),
  /** Of the last attempt. */
  outcome: Type.Optional(Type.String()),
  status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599 })),
  /** When it was enqueued. */
  from: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
};

/** A misspelt filter must not mean "all of them". */
export const FiltersSchema = Type.Object(FILTERS, { additionalProperties: false });

export type Filters = Static<typeof FiltersSchema>;

const TEXTS = ['service', 'policy', 'subject', 'outcome'] as const;

const named = (field: string): PropertyShape => ({ type: 'Edm.String', field });

/** What a `$filter` may name. */
const shape = entityShape({
  name: 'deliveries',
  collection: deliveries,
  properties: {
    ...Object.fromEntries(['state', ...TEXTS].map((field) => [field, named(field)])),
    status: { type: 'Edm.Int32', field: 'status' },
    createdAt: { type: 'Edm.DateTimeOffset', field: 'createdAt' },
  },
  scan: 'refused',
});

export function filterOf(filters: Filters, now: number): Filter | undefined {
  const args: Filter[] = [];
  const asked = filters.$filter === undefined ? undefined : compiled(filters.$filter, now);
  if (asked) args.push(asked);
  const { state, status, policy, destination, owner } = filters;
  if (owner !== undefined) args.push({ op: 'eq', field: 'ownerLine', value: shortened(owner) });
  if (destination !== undefined) args.push({ op: 'eq', field: 'destinationLine', value: shortened(destination) });
  if (state !== undefined && state !== 'queued') {
    args.push({ op: 'eq', field: 'line', value: laneOfEnded(state) }, { op: 'eq', field: 'place', value: 0 });
  } else if (state === 'queued' && policy !== undefined && destination !== undefined) {
    args.push({ op: 'eq', field: 'line', value: laneOfQueue(queueOf(policy, destination)) });
  } else if (state !== undefined) args.push({ op: 'eq', field: 'state', value: state });
  for (const field of TEXTS) {
    const value = filters[field];
    if (value !== undefined) args.push({ op: 'eq', field, value });
  }
  if (status !== undefined) args.push({ op: 'eq', field: 'status', value: status });
  const [from, to] = [timeOf(filters, 'from'), timeOf(filters, 'to')];
  if (from !== undefined) args.push({ op: 'ge', field: 'createdAt', value: from });
  if (to !== undefined) args.push({ op: 'le', field: 'createdAt', value: to });
  return args.length === 0 ? undefined : { op: 'and', args };
}

function compiled(source: string, now: number): Filter | undefined {
  try {
    return compileFilter(shape, source, now).filter;
  } catch (error) {
    throw error instanceof ODataError ? apiError(error, 'InvalidQuery') : error;
  }
}

/** Ids begin with the time, so that a list which begins at a time can begin at an id. */
export function startOf(filters: Filters, descending: boolean): Position | undefined {
  const time = timeOf(filters, descending ? 'to' : 'from');
  if (time === undefined) return undefined;
  return [firstIdAt(descending ? time + 1 : time)];
}

function timeOf(filters: Filters, name: 'from' | 'to'): number | undefined {
  const value = filters[name];
  if (value === undefined) return undefined;
  const time = Date.parse(value);
  if (Number.isNaN(time)) throw deliveryErrors.BadTime({ name, value: value.slice(0, 60) }, { target: name });
  return time;
}
