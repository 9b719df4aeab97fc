import { ok } from '../../../../kernel/http/index.ts';
import { numericId, uuid } from '../../../../kernel/ids/index.ts';
import { allOf, eq, type Reader } from '../../../../kernel/store/index.ts';
import { omitAbsent } from '../../../../kernel/values/index.ts';
import { PlatformError } from '../../errors.ts';
import { callerIdentity, type PlatformCall, routeCode, workspaceIn } from '../../jar.ts';
import { takeCount } from '../../limits/take.ts';
import type { Operation } from '../../operation.ts';
import { findCluster } from '../clusters/find.ts';
import { touchCluster } from '../clusters/touch.ts';
import {
  type Cluster,
  type Command,
  commandKey,
  commands,
  contextContainers,
  contextKey,
  contexts,
  type ExecutionContext,
} from '../collections.ts';
import { contextErrors } from '../errors.ts';
import { bodyOf } from './body.ts';
import { newContainer } from './containers/new-container.ts';
import { syncContextSoon } from './containers/sync.ts';
import { dropContext } from './drop.ts';
import { type ContextRequest, fromBody, fromQuery, type Part, readParts } from './request.ts';
import { runsInContainer } from './run-command.ts';
import { wakeContext } from './wake.ts';

const row = (
  method: 'GET' | 'POST',
  path: string,
  summary: string,
  answer: (call: PlatformCall) => Promise<unknown>,
  accepts?: 'stream',
): Operation => ({
  method,
  path,
  versions: ['1.2'],
  operation: path.slice(1).replace('/', '_'),
  summary,
  errors: 'old',
  ...(accepts && { accepts }),
  code: routeCode([], { handle: async (call) => ok(await answer(call)) }),
});

async function runningCluster(call: PlatformCall, id: string, reader: Reader): Promise<Cluster> {
  const cluster = await findCluster(call, id, 'CAN_ATTACH_TO', reader);
  if (cluster.state !== 'RUNNING' && cluster.state !== 'RESIZING') throw contextErrors.ClusterNotReadyException();
  return cluster;
}

async function findContext(call: PlatformCall, request: ContextRequest, reader: Reader): Promise<ExecutionContext> {
  const { clusterId, contextId } = request;
  await findCluster(call, clusterId, 'CAN_ATTACH_TO', reader);
  const found = (await reader.get(contexts, contextKey(workspaceIn(call).id, clusterId, contextId)))?.value;
  if (!found) throw contextErrors.ContextNotFound({ id: contextId.slice(0, 100), cluster: clusterId });
  return found;
}

async function findCommand(call: PlatformCall, request: ContextRequest, reader: Reader): Promise<Command> {
  const { id, workspaceId, clusterId } = await findContext(call, request, reader);
  const key = commandKey(contextKey(workspaceId, clusterId, id), request.commandId);
  const found = (await reader.get(commands, key))?.value;
  if (!found) throw contextErrors.CommandNotFoundException({ id: request.commandId.slice(0, 100), context: id });
  return found;
}

/** The error in the format of this version, naming the limit. */
async function takeContext(tx: Parameters<typeof takeCount>[0], call: PlatformCall, cluster: Cluster): Promise<void> {
  try {
    await takeCount(tx, call.jar, { row: 'cluster-contexts', scope: [cluster.workspaceId, cluster.id] });
  } catch (thrown) {
    if (!(thrown instanceof PlatformError)) throw thrown;
    const metadata = thrown.wireDetails[0]?.metadata;
    const most = typeof metadata === 'object' && metadata !== null && 'value' in metadata ? String(metadata.value) : '';
    throw contextErrors.ContextLimitExceeded({ most, reason: thrown.message });
  }
}

async function createContext(call: PlatformCall): Promise<object> {
  const { clusterId, language } = fromBody(call, ['clusterId', 'language']);
  const { jar } = call;
  await jar.taskImages.refresh();
  return jar.store.transact(async (tx) => {
    const cluster = await runningCluster(call, clusterId, tx);
    await takeContext(tx, call, cluster);
    const id = numericId();
    const key = contextKey(cluster.workspaceId, cluster.id, id);
    const container = language === 'python' ? newContainer(jar, cluster, id) : undefined;
    await tx.put(contexts, key, {
      id,
      workspaceId: cluster.workspaceId,
      clusterId: cluster.id,
      language,
      createdBy: callerIdentity(call).principal.id,
      createdAt: jar.clock.now(),
      commands: 0,
      files: {},
      ...(container && { status: 'Pending' }),
    });
    if (container) {
      await tx.put(contextContainers, key, container);
      await syncContextSoon(tx, jar, key);
    }
    await touchCluster(tx, jar, { workspaceId: cluster.workspaceId, clusterId: cluster.id }, 'done');
    return { id };
  });
}

async function destroyContext(call: PlatformCall): Promise<object> {
  const request = fromBody(call, ['clusterId', 'contextId']);
  return call.jar.store.transact(async (tx) => {
    const context = await findContext(call, request, tx);
    await abandonRunning(tx, call, context);
    await dropContext(tx, call.jar, context);
    return { id: context.id };
  });
}

/** A command that is no longer running must not keep the cluster from being idle. */
async function abandonRunning(
  tx: Parameters<typeof takeCount>[0],
  call: PlatformCall,
  { workspaceId, clusterId, id }: ExecutionContext,
): Promise<void> {
  const statuses = { op: 'in', field: 'status', values: ['Running', 'Cancelling'] } as const;
  const filter = allOf(eq('context', contextKey(workspaceId, clusterId, id)), statuses);
  const { items } = await tx.query(commands, { filter, limit: 1 });
  if (items.length > 0) await touchCluster(tx, call.jar, { workspaceId, clusterId }, 'end');
}

/** Maximum commands of a context, since each is stored until its context ends. */
const MOST_COMMANDS = 10_000;

async function execute(call: PlatformCall): Promise<object> {
  const request = readParts(await bodyOf(call), ['clusterId', 'contextId', 'language', 'command']);
  const { jar } = call;
  return jar.store.transact(async (tx) => {
    const cluster = await runningCluster(call, request.clusterId, tx);
    const context = await findContext(call, request, tx);
    if (context.commands >= MOST_COMMANDS)
      throw contextErrors.IllegalArgumentException({
        reason: `a context can run at most ${MOST_COMMANDS} commands; destroy it and create another one`,
      });
    const key = contextKey(context.workspaceId, cluster.id, context.id);
    const id = uuid().replaceAll('-', '');
    await tx.put(commands, commandKey(key, id), {
      id,
      context: key,
      number: context.commands,
      language: request.language,
      command: request.command,
      status: 'Queued',
    });
    await tx.put(contexts, key, { ...context, commands: context.commands + 1 });
    await wakeContext(tx, jar, key);
    return { id };
  });
}

/**
 * A waiting or simulated command is cancelled immediately, a command in a container once its interpreter has stopped it; a finished command
 * stays as it is.
 */
async function cancel(call: PlatformCall): Promise<object> {
  const request = fromBody(call, ['clusterId', 'contextId', 'commandId']);
  const { jar } = call;
  return jar.store.transact(async (tx) => {
    const { outcome: _outcome, endsAt: _endsAt, ...command } = await findCommand(call, request, tx);
    const isRunning = command.status === 'Running';
    if (!isRunning && command.status !== 'Queued') return { id: command.id };
    const context = (await tx.get(contexts, command.context))?.value;
    const isInterrupted = isRunning && context !== undefined && runsInContainer(context, command);
    const status = isInterrupted ? 'Cancelling' : 'Cancelled';
    await tx.put(commands, commandKey(command.context, command.id), { ...command, status });
    const { clusterId } = request;
    if (isRunning && !isInterrupted)
      await touchCluster(tx, jar, { workspaceId: workspaceIn(call).id, clusterId }, 'end');
    await wakeContext(tx, jar, command.context);
    return { id: command.id };
  });
}

const CONTEXT: readonly Part[] = ['clusterId', 'contextId'];
const COMMAND: readonly Part[] = [...CONTEXT, 'commandId'];

export const CONTEXT_OPERATIONS: readonly Operation[] = [
  row('POST', '/contexts/create', 'Opens an execution context on a running cluster', createContext),
  row('GET', '/contexts/status', 'Reads an execution context', async (call) => {
    const { id, status = 'Running' } = await findContext(call, fromQuery(call, CONTEXT), call.jar.store);
    return { id, status };
  }),
  row('POST', '/contexts/destroy', 'Ends an execution context', destroyContext),
  row('POST', '/commands/execute', 'Runs a command in an execution context', execute, 'stream'),
  row('GET', '/commands/status', 'Reads a command and its results', async (call) => {
    const { id, status, result } = await findCommand(call, fromQuery(call, COMMAND), call.jar.store);
    return omitAbsent({ id, status, results: result ?? null });
  }),
  row('POST', '/commands/cancel', 'Cancels a command', cancel),
];
