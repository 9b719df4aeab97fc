import { type Static, Type } from 'typebox';
import {
  DELIVERY_STATES,
  deliveries,
  firstIdAt,
  laneOfEnded,
  laneOfQueue,
  queueOf,
  shortened,
} from '../../kernel/delivery/index.ts';
import {
  apiError,
  compileFilter,
  entityShape,
  errorAt,
  type Node,
  ODataError,
  type PropertyShape,
} from '../../kernel/odata/index.ts';
import type { Filter } from '../../kernel/store/index.ts';
import { deliveryErrors } from './errors.ts';

/** Query parameters that select deliveries; all given ones must match. */
export const FILTERS = {
  // An empty filter is rejected, because it would match everything; to match everything, leave it out.
  $filter: Type.Optional(
    Type.String({
      pattern: '\\S',
      description: 'OData filter for conditions that the other parameters cannot express; see docs/reference/odata.md',
    }),
  ),
  state: Type.Optional(Type.Enum([...DELIVERY_STATES])),
  service: Type.Optional(Type.String()),
  policy: Type.Optional(Type.String()),
  owner: Type.Optional(Type.String()),
  destination: Type.Optional(Type.String()),
  subject: Type.Optional(Type.String()),
  /** Outcome of the last attempt. */
  outcome: Type.Optional(Type.String()),
  status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599 })),
  /** Time of enqueuing. */
  from: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
};

/** Unknown properties are rejected: a misspelt filter must not match everything. */
export const FiltersSchema = Type.Object(FILTERS, { additionalProperties: false });

export type Filters = Static<typeof FiltersSchema>;

const TEXTS = ['service', 'policy', 'subject', 'outcome'] as const;

const named = (field: string): PropertyShape => ({ type: 'Edm.String', field });

/** The store has only a digest of the value. */
const digested = (field: string): PropertyShape => ({ type: 'Edm.String', field, orderable: false });

/** The fields of `$filter`. Deliveries are many and large, so conditions without an indexed field are refused. */
export const deliveryShape = entityShape({
  name: 'deliveries',
  collection: deliveries,
  properties: {
    id: named('key'),
    ...Object.fromEntries(['state', ...TEXTS].map((field) => [field, named(field)])),
    status: { type: 'Edm.Int32', field: 'status' },
    createdAt: { type: 'Edm.DateTimeOffset', field: 'createdAt' },
    owner: digested('ownerLine'),
    destination: digested('destinationLine'),
  },
  scan: 'refused',
});

const DIGESTED: ReadonlySet<string> = new Set(['owner', 'destination']);

/** Replaces owners and destinations in the filter by their digests, which only allow tests for equality. */
export function withDigests(node: Node, source: string): Node {
  const within = (each: Node): Node => withDigests(each, source);
  switch (node.kind) {
    case 'junction':
      return { ...node, args: node.args.map(within) };
    case 'unary':
      return { ...node, operand: within(node.operand) };
    case 'call':
      return { ...node, args: node.args.map(within) };
    case 'binary': {
      const isEquality = node.operator === 'eq' || node.operator === 'ne';
      if (isEquality && isDigested(node.left)) return { ...node, right: digestOf(node.right) };
      if (isEquality && isDigested(node.right)) return { ...node, left: digestOf(node.left) };
      return { ...node, left: within(node.left), right: within(node.right) };
    }
    case 'in':
      if (!isDigested(node.operand)) return { ...node, operand: within(node.operand) };
      return { ...node, values: node.values.map((value) => digestOf(value)) };
    default:
      if (!isDigested(node)) return node;
      throw errorAt(
        'NotSupported',
        '$filter',
        source,
        node.at,
        'an owner or a destination can only be compared with eq, ne and in',
      );
  }
}

const isDigested = (node: Node): boolean =>
  node.kind === 'path' && node.segments.length === 1 && DIGESTED.has(String(node.segments[0]).toLowerCase());

function digestOf<N extends Node>(node: N): N {
  return node.kind === 'literal' && node.type === 'string' ? { ...node, value: shortened(node.value) } : node;
}

/** The combined filter of all parameters, including `$filter`. */
export function filterOf(filters: Filters, now: number): Filter | undefined {
  const asked = filters.$filter === undefined ? undefined : compiled(filters.$filter, now);
  const own = ownFilterOf(filters);
  return asked && own ? { op: 'and', args: [asked, own] } : (asked ?? own);
}

/** The filter of all parameters except `$filter`. */
export function ownFilterOf(filters: Omit<Filters, '$filter'>): Filter | undefined {
  const args: Filter[] = [];
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
  // Ids begin with the time, so a lower bound on the time is also a lower bound on the key.
  if (from !== undefined)
    args.push({ op: 'ge', field: 'key', value: firstIdAt(from) }, { op: 'ge', field: 'createdAt', value: from });
  if (to !== undefined)
    args.push({ op: 'lt', field: 'key', value: firstIdAt(to + 1) }, { op: 'le', field: 'createdAt', value: to });
  return args.length === 0 ? undefined : { op: 'and', args };
}

function compiled(source: string, now: number): Filter | undefined {
  try {
    return compileFilter(deliveryShape, source, now, withDigests).filter;
  } catch (error) {
    throw error instanceof ODataError ? apiError(error, 'InvalidQuery') : error;
  }
}

function timeOf(filters: Omit<Filters, '$filter'>, name: 'from' | 'to'): number | undefined {
  const value = filters[name];
  if (value === undefined) return undefined;
  const time = Date.parse(value);
  if (Number.isNaN(time)) throw deliveryErrors.BadTime({ name, value: value.slice(0, 60) }, { target: name });
  return time;
}
