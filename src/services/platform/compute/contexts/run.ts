import { allOf, eq, type Tx } from '../../../../kernel/store/index.ts';
import { handleWork, untilSettled } from '../../../../kernel/work/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { touchCluster } from '../clusters/touch.ts';
import { type Command, clusters, commandKey, commands, contexts, type ExecutionContext } from '../collections.ts';
import { RUN_COMMANDS, workId } from '../work.ts';
import { runCommand } from './run-command.ts';

/**
 * The commands of a context run one after another, by one item of due work. A round ends the command whose time is over, begins the next one, and
 * waits for its end. What a command does is worked out when it begins, and shows when its time is over.
 */

/** For transactions that give a context something to do. */
export const wakeContext = (tx: Tx, { clock }: Pick<PlatformJar, 'clock'>, key: string): Promise<void> =>
  tx.wake(RUN_COMMANDS.at(clock.now(), { key }, workId(RUN_COMMANDS, key)));

const firstOf = async (tx: Tx, context: string, status: Command['status']): Promise<Command | undefined> => {
  const filter = allOf(eq('context', context), eq('status', status));
  return (await tx.query(commands, { filter, order: [{ field: 'number' }], limit: 1 })).items[0]?.value;
};

const placeOf = ({ workspaceId, clusterId }: ExecutionContext) => ({ workspaceId, clusterId });

/** The command is over: its result shows, and its files are there for the next one. */
async function finish(tx: Tx, jar: PlatformJar, context: ExecutionContext, command: Command): Promise<void> {
  const { outcome, ...rest } = command;
  const done: Command = { ...rest, status: 'Finished', ...(outcome && { result: outcome.result }) };
  await tx.put(commands, commandKey(command.context, command.id), done);
  if (outcome?.files) await tx.put(contexts, command.context, { ...context, files: outcome.files });
  await touchCluster(tx, jar, placeOf(context), 'end');
}

/** What is to be run now: one that was begun before a crash and has no outcome yet, or the next in line. */
type Turn = { readonly command: Command; readonly context: ExecutionContext } | 'wait';

/** Requests lock the cluster first, then the context, then the item; so does the work. */
const lockCluster = (tx: Tx, key: string): Promise<unknown> => tx.get(clusters, key.slice(0, key.lastIndexOf('/')));

async function nextTurn(tx: Tx, jar: PlatformJar, key: string): Promise<Turn> {
  await lockCluster(tx, key);
  const context = (await tx.get(contexts, key))?.value;
  if (!context) return 'wait';
  const now = jar.clock.now();
  const running = await firstOf(tx, key, 'Running');
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

/** When the context is to be looked at again. */
async function dueAt(tx: Tx, jar: PlatformJar, key: string, context: unknown): Promise<number | undefined> {
  if (!context) return undefined;
  const running = await firstOf(tx, key, 'Running');
  if (running) return running.outcome ? running.endsAt : jar.clock.now();
  return (await firstOf(tx, key, 'Queued')) && jar.clock.now();
}

export const runCommands = handleWork(RUN_COMMANDS, async (item, jar: PlatformJar) => {
  const { key } = item.payload;
  const { store } = jar;
  await untilSettled(async () => {
    const turn = await store.transact((tx) => nextTurn(tx, jar, key));
    if (turn === 'wait') {
      const isSettled = await store.transact(async (tx) => {
        await lockCluster(tx, key);
        const context = await tx.get(contexts, key);
        return tx.settle(item, () => dueAt(tx, jar, key, context));
      });
      return isSettled ? 'settled' : 'unsettled';
    }
    const { command, context } = turn;
    const startedAt = command.startedAt ?? jar.clock.now();
    const { language } = command;
    const { endsAt, ...outcome } = await runCommand(jar, { context, language, command: command.command, startedAt });
    await store.transact(async (tx) => {
      const now = (await tx.get(commands, commandKey(key, command.id)))?.value;
      // Cancelled meanwhile, or the context is gone.
      if (now?.status !== 'Running') return;
      await tx.put(commands, commandKey(key, command.id), { ...now, outcome, ...(endsAt !== undefined && { endsAt }) });
    });
    return 'more';
  });
});
