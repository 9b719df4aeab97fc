import type { PlatformJar } from '../../../jar.ts';
import { type Command, type CommandResult, contextContainers } from '../../collections.ts';
import { wakeContext } from '../wake.ts';
import { askDriver, DriverFault, requestsFor } from './ask-driver.ts';
import type { Watched } from './command-watch.ts';
import { targetOf } from './plan.ts';
import { resultOf } from './result.ts';
import { syncContextSoon } from './sync.ts';

/** The end of a command in a container; undefined while it runs. */
export type Ended =
  | { readonly is: 'finished'; readonly result: CommandResult }
  | { readonly is: 'cancelled' }
  | { readonly is: 'broken'; readonly result: CommandResult };

/** Runs a command in the interpreter of its context, or checks its state. */
export async function checkContainerCommand(
  jar: PlatformJar,
  key: string,
  command: Command,
): Promise<Ended | undefined> {
  const { engine } = jar;
  const container = (await jar.store.get(contextContainers, key))?.value;
  if (!container) return undefined;
  const target = targetOf(container);
  const ask = (request: Parameters<typeof askDriver>[2], halt: AbortSignal) => askDriver(engine, target, request, halt);
  const watched = jar.commandWatch.look({
    key,
    commandId: command.id,
    requests: requestsFor(command.id, command.command),
    ask,
    ended: () => void wake(jar, key),
  });
  if (command.status === 'Cancelling')
    jar.commandWatch.interrupt({ key, commandId: command.id, ask }, (error) =>
      jar.log.warn({ err: error }, 'a command could not be cancelled; it will be retried'),
    );
  return endOf(jar, key, watched);
}

async function endOf(jar: PlatformJar, key: string, watched: Watched): Promise<Ended | undefined> {
  if (watched.is === 'open') return undefined;
  if (watched.is === 'ended' && watched.reply.cancelled === true) return { is: 'cancelled' };
  try {
    if (watched.is === 'ended') return { is: 'finished', result: resultOf(watched.reply) };
    throw watched.error;
  } catch (error) {
    if (error instanceof DriverFault) return { is: 'broken', result: broken(error.message) };
    // If the container has ended, its own work item will notice; otherwise the driver is asked again.
    jar.log.debug({ err: error, context: key }, 'the driver of a context does not answer');
    await jar.store.transact((tx) => syncContextSoon(tx, jar, key));
    return undefined;
  }
}

export const broken = (message: string): CommandResult => ({
  resultType: 'error',
  summary: `<span class="ansi-red-fg">Fatal error</span>: ${message}`,
  cause: `Fatal error: ${message}`,
});

async function wake(jar: PlatformJar, key: string): Promise<void> {
  if (jar.closing.aborted) return;
  try {
    await jar.store.transact((tx) => wakeContext(tx, jar, key));
  } catch (error) {
    if (!jar.closing.aborted) jar.log.warn({ err: error }, 'a context whose command has ended could not be woken');
  }
}
