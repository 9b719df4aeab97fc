import { OutboundError } from '../../../../kernel/outbound/index.ts';
import { pause, processTime, SECOND_MS } from '../../../../kernel/time/index.ts';
import type { PlatformJar } from '../../jar.ts';
import {
  type ModelContainer,
  modelContainers,
  type PendingConfig,
  type ServingEndpoint,
  useKey,
} from '../collections.ts';
import { imageOf } from './new-containers.ts';

/** Real time, counted from the end of the update by the jar's clock: an image may have to be pulled. */
const LONGEST_MS = 120 * SECOND_MS;
const BETWEEN_MS = 200;
const ASK_MS = 2 * SECOND_MS;

/** URL of the container of an entity; undefined until it has an address. */
export const addressOf = ({ status, port }: ModelContainer): string | undefined =>
  status.ip === undefined ? undefined : `http://${status.ip}:${port}`;

/**
 * Waits until the containers of a configuration respond. Returns the reasons of those that do not, by entity. Must not be called in a
 * transaction.
 */
export async function awaitModels(
  jar: PlatformJar,
  endpoint: ServingEndpoint,
  pending: PendingConfig,
): Promise<ReadonlyMap<string, string>> {
  const problems = new Map<string, string>();
  const deadline = processTime() + LONGEST_MS;
  for (const entity of pending.entities) {
    if (imageOf(jar, entity) === undefined) continue;
    const problem = await awaitModel(jar, useKey(endpoint, pending, entity.name), deadline);
    if (problem !== undefined) problems.set(entity.name, problem);
  }
  return problems;
}

async function awaitModel(jar: PlatformJar, key: string, deadline: number): Promise<string | undefined> {
  let container: ModelContainer | undefined;
  while (processTime() < deadline && !jar.closing.aborted) {
    container = (await jar.store.get(modelContainers, key))?.value;
    // Its variables could not be read; the end of the update reports that.
    if (!container) return undefined;
    const current = container.status.containers[0]?.current;
    if (current?.kind === 'Terminated' || (current?.kind === 'Waiting' && /BackOff|Err/.test(current.reason)))
      return `The container of the image ${container.image} does not run: ${reasonOf(container)}`;
    if (current?.kind === 'Running' && (await answers(jar, container))) return undefined;
    await pause(BETWEEN_MS);
  }
  return `The container of the image ${container?.image} did not answer on port ${container?.port} in time.`;
}

/** The last message of the engine. */
function reasonOf({ status }: ModelContainer): string {
  const [first] = status.containers;
  const current = first?.current;
  const said = [...(first?.events ?? []), ...status.events].findLast(({ type }) => type === 'Warning')?.message;
  const state =
    current?.kind === 'Terminated' ? `exit code ${current.exitCode}` : (current as { reason?: string })?.reason;
  return [state, said].filter((part) => part !== undefined).join(', ');
}

/** Any response counts: not every server has this path. */
async function answers({ outbound }: PlatformJar, container: ModelContainer): Promise<boolean> {
  const address = addressOf(container);
  if (address === undefined) return false;
  try {
    await outbound.send({ url: `${address}/ping`, method: 'GET', trusted: true, timeoutMs: ASK_MS });
    return true;
  } catch (error) {
    if (error instanceof OutboundError) return false;
    throw error;
  }
}
