import { allOf, eq, type Tx } from '../../../../kernel/store/index.ts';
import { untilSettled, workHandler } from '../../../../kernel/work/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { problems } from '../../warehouses/sql/problem.ts';
import { Conflict, problemOf } from '../../warehouses/tables/refusals.ts';
import { touchCluster } from '../clusters/touch.ts';
import { type Command, commandKey, commands, contexts, type ExecutionContext } from '../collections.ts';
import { RUN_COMMANDS } from '../work.ts';
import { broken, checkContainerCommand, type Ended } from './containers/in-container.ts';
import { error } from './literals.ts';
import { type CommandOutcome, runCommand, runsInContainer } from './run-command.ts';
import { lockCluster } from './wake.ts';

/**
 * The commands of a context run one after another, in one work item. A round finishes the command whose time is over, starts the next one,
 * and waits for its end. The outcome of a simulated command is computed at its start, and becomes visible at its end; a command in a
 * container ends when its interpreter reports it.
 */

/** Fallback in case the connection to the container belonged to another process of the jar. */
const LOOK_AGAIN_MS = 5000;
const MOST_ATTEMPTS = 30;
/** Commands per transaction that fail when their context is lost. */
const SLICE = 100;

const firstOf = async (tx: Tx, context: string, status: Command['status']): Promise<Command | undefined> => {
  const filter = allOf(eq('context', context), eq('status', status));
  return (await tx.query(commands, { filter, order: [{ field: 'number' }], limit: 1 })).items[0]?.value;
};

const runningOf = async (tx: Tx, context: string): Promise<Command | undefined> =>
  (await firstOf(tx, context, 'Running')) ?? (await firstOf(tx, context, 'Cancelling'));

const placeOf = ({ workspaceId, clusterId }: ExecutionContext) => ({ workspaceId, clusterId });

/** Finishes the command: its result becomes visible, and its files are available to the next command. */
async function finish(tx: Tx, jar: PlatformJar, context: ExecutionContext, command: Command): Promise<void> {
  const { outcome, ...rest } = command;
  const done: Command = { ...rest, status: 'Finished', ...(outcome && { result: outcome.result }) };
  await tx.put(commands, commandKey(command.context, command.id), done);
  if (outcome?.files) await tx.put(contexts, command.context, { ...context, files: outcome.files });
  await touchCluster(tx, jar, placeOf(context), 'end');
}

/** The command to run now: one that was started and has no outcome yet, or the next in the queue. */
type Turn = { readonly command: Command; readonly context: ExecutionContext } | 'wait' | 'more';

async function nextTurn(tx: Tx, jar: PlatformJar, key: string): Promise<Turn> {
  await lockCluster(tx, key);
  const context = (await tx.get(contexts, key))?.value;
  if (!context || context.status === 'Pending') return 'wait';
  if (context.status === 'Error') return endAll(tx, jar, key, context);
  const now = jar.clock.now();
  const running = await runningOf(tx, key);
  if (running && !running.outcome) return { command: running, context };
  if (running && (running.endsAt === undefined || running.endsAt > now)) return 'wait';
  if (running) await finish(tx, jar, context, running);
  const queued = await firstOf(tx, key, 'Queued');
  if (!queued) return 'wait';
  const command: Command = { ...queued, status: 'Running', startedAt: now };
  await tx.put(commands, commandKey(key, command.id), command);
  await touchCluster(tx, jar, placeOf(context), 'begin');
  return { command, context: (await tx.get(contexts, key))?.value ?? context };
}

/** The interpreter is gone, so all commands of the context fail. */
async function endAll(tx: Tx, jar: PlatformJar, key: string, context: ExecutionContext): Promise<Turn> {
  const result = broken(context.problem ?? 'The Python process has ended.');
  const running = await runningOf(tx, key);
  if (running) {
    const { outcome: _outcome, endsAt: _endsAt, ...rest } = running;
    await tx.put(commands, commandKey(key, running.id), { ...rest, status: 'Error', result });
    await touchCluster(tx, jar, placeOf(context), 'end');
  }
  const filter = allOf(eq('context', key), eq('status', 'Queued'));
  const { items } = await tx.query(commands, { filter, order: [{ field: 'number' }], limit: SLICE });
  for (const { key: at, value } of items) await tx.put(commands, at, { ...value, status: 'Error', result });
  return items.length < SLICE ? 'wait' : 'more';
}

/** When the context needs the next round. */
async function dueAt(
  tx: Tx,
  jar: PlatformJar,
  key: string,
  context: ExecutionContext | undefined,
): Promise<number | undefined> {
  if (!context || context.status === 'Pending') return undefined;
  const now = jar.clock.now();
  const running = await runningOf(tx, key);
  if (running?.outcome) return running.endsAt;
  if (running) return runsInContainer(context, running) ? now + LOOK_AGAIN_MS : now;
  return (await firstOf(tx, key, 'Queued')) && now;
}

export const runCommands = workHandler(RUN_COMMANDS, async (item, jar: PlatformJar) => {
  const { key } = item.payload;
  const { store } = jar;
  await untilSettled(async () => {
    const turn = await store.transact((tx) => nextTurn(tx, jar, key));
    if (turn === 'more') return 'more';
    if (turn !== 'wait' && (await goOn(jar, key, turn.context, turn.command))) return 'more';
    const isSettled = await store.transact(async (tx) => {
      await lockCluster(tx, key);
      const context = (await tx.get(contexts, key))?.value;
      return tx.settle(item, () => dueAt(tx, jar, key, context));
    });
    return isSettled ? 'settled' : 'unsettled';
  });
});

/** Runs a command, or checks a running one. Returns true once there is an outcome. */
async function goOn(jar: PlatformJar, key: string, context: ExecutionContext, command: Command): Promise<boolean> {
  if (runsInContainer(context, command)) {
    const ended = await checkContainerCommand(jar, key, command);
    if (ended) await saveEnd(jar, key, command, ended);
    return ended !== undefined;
  }
  const { language, command: text, startedAt = jar.clock.now() } = command;
  const request = { context, language, command: text, startedAt };
  for (let attempt = 1; ; attempt++) {
    const outcome = await runCommand(jar, request);
    try {
      await saveOutcome(jar, key, command, outcome);
      return true;
    } catch (failure) {
      await outcome.effect?.discard?.();
      // Another writer has changed a table that the command writes: it runs again.
      if (failure instanceof Conflict && attempt < MOST_ATTEMPTS) continue;
      const problem = failure instanceof Conflict ? problems.concurrent(failure.table) : problemOf(failure);
      if (!problem) throw failure;
      await saveOutcome(jar, key, command, { result: error('AnalysisException', problem.message), endsAt: startedAt });
      return true;
    }
  }
}

/** The command's changes of tables and its outcome are written in one transaction. */
async function saveOutcome(jar: PlatformJar, key: string, command: Command, outcome: CommandOutcome): Promise<void> {
  const { endsAt, effect, ...kept } = outcome;
  const isSaved = await jar.store.transact(async (tx) => {
    const now = (await tx.get(commands, commandKey(key, command.id)))?.value;
    // Cancelled meanwhile, or the context is gone.
    if (now?.status !== 'Running') return false;
    await effect?.apply?.(tx);
    await tx.put(commands, commandKey(key, command.id), {
      ...now,
      outcome: kept,
      ...(endsAt !== undefined && { endsAt }),
    });
    return true;
  });
  if (!isSaved) await effect?.discard?.();
}

/** Stores the end of a command in a container. */
const saveEnd = (jar: PlatformJar, key: string, { id }: Command, ended: Ended): Promise<void> =>
  jar.store.transact(async (tx) => {
    await lockCluster(tx, key);
    const context = (await tx.get(contexts, key))?.value;
    const command = (await tx.get(commands, commandKey(key, id)))?.value;
    if (!context || (command?.status !== 'Running' && command?.status !== 'Cancelling')) return;
    const isCancelled = ended.is === 'cancelled' || command.status === 'Cancelling';
    await tx.put(commands, commandKey(key, id), {
      ...command,
      status: isCancelled ? 'Cancelled' : ended.is === 'broken' ? 'Error' : 'Finished',
      ...(ended.is !== 'cancelled' && !isCancelled && { result: ended.result }),
    });
    await touchCluster(tx, jar, placeOf(context), 'end');
  });
