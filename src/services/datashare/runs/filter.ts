import { entityShape, type Node } from '../../../kernel/odata/index.ts';
import { type Run, runs } from '../collections.ts';
import { forProvider } from './messages.ts';

/** Properties for filtering and ordering lists of runs. */

/** Internal property: whether the run has started. Clients cannot write this name. */
const STARTED = '#started';

const CONSUMER_SIDE = {
  // Ordered by a time that every run has; `startedOnly` excludes runs that have not started.
  startTime: { type: 'Edm.DateTimeOffset', field: 'orderTime' },
  [STARTED]: { type: 'Edm.Boolean', field: 'isStarted' },
  endTime: { type: 'Edm.DateTimeOffset', field: 'endTime' },
  durationMs: { type: 'Edm.Int64', field: 'durationMs' },
  status: { type: 'Edm.String', field: 'status' },
  message: { type: 'Edm.String', field: 'message' },
  synchronizationId: { type: 'Edm.String', field: 'id' },
  synchronizationMode: { type: 'Edm.String', field: 'mode' },
} as const;

export const CONSUMER_SHAPE = entityShape<Run>({
  name: 'synchronizations',
  collection: runs,
  properties: CONSUMER_SIDE,
  scan: 'bounded',
});

export const PROVIDER_SHAPE = entityShape<Run>({
  name: 'synchronizations',
  collection: runs,
  properties: {
    ...CONSUMER_SIDE,
    message: { type: 'Edm.String', read: forProvider },
    consumerName: { type: 'Edm.String', field: 'consumerName' },
    consumerEmail: { type: 'Edm.String', field: 'consumerEmail' },
    consumerTenantName: { type: 'Edm.String', field: 'consumerTenantName' },
  },
  scan: 'bounded',
});

/** A queued run has no start time. Rewrites comparisons with it as comparisons with null. */
export function startedOnly(node: Node): Node {
  if (node.kind === 'junction') return { ...node, args: node.args.map(startedOnly) };
  if (node.kind === 'unary' && node.operator === 'not') return { ...node, operand: startedOnly(node.operand) };
  if (!mentionsStart(node)) return node;
  const { at } = node;
  const started: Node = { kind: 'path', segments: [STARTED], at };
  const notStarted: Node = { kind: 'unary', operator: 'not', operand: started, at };
  if (node.kind === 'binary' && (isNull(node.left) || isNull(node.right)))
    return node.operator === 'eq' ? notStarted : started;
  const isNegative = node.kind === 'binary' && node.operator === 'ne';
  return isNegative
    ? { kind: 'junction', operator: 'or', args: [node, notStarted], at }
    : { kind: 'junction', operator: 'and', args: [node, started], at };
}

const isNull = (node: Node): boolean => node.kind === 'literal' && node.type === 'null';

function mentionsStart(node: Node): boolean {
  switch (node.kind) {
    case 'path':
      return node.segments.at(-1)?.toLowerCase() === 'starttime';
    case 'binary':
      return mentionsStart(node.left) || mentionsStart(node.right);
    case 'call':
      return node.args.some(mentionsStart);
    case 'in':
    case 'unary':
      return mentionsStart(node.operand);
    default:
      return false;
  }
}
