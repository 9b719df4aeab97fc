import { failureOf, type Outcome, outcomeOf, type Reply } from '../../../kernel/delivery/index.ts';
import { Calls } from '../../../kernel/outbound/index.ts';
import { StorageClient, StorageFailure } from '../../../kernel/outbound/storage/index.ts';
import type { EventsJar } from '../jar.ts';
import type { StorageConnection } from './connection-strings.ts';
import type { DeadLetterMessage, ResourceMessage } from './messages.ts';
import { abandoned, failed, succeeded } from './replies.ts';
import { DEFAULT_TTL_SECONDS, type Target } from './targets.ts';

/** Error codes of the storage service that are more precise than their status. */
const BY_CODE: Readonly<Record<string, Outcome>> = {
  AccountIsDisabled: 'Disabled',
  QueueDisabled: 'Disabled',
  ContainerDisabled: 'Disabled',
  QueueBeingDeleted: 'NotFound',
  ContainerBeingDeleted: 'NotFound',
  MessageTooLarge: 'PayloadTooLarge',
  RequestBodyTooLarge: 'PayloadTooLarge',
  ServerBusy: 'Busy',
  OperationTimedOut: 'TimedOut',
};

export function putQueueMessage(
  { body, destination }: ResourceMessage,
  { name }: Target,
  connection: StorageConnection,
  jar: EventsJar,
  signal: AbortSignal,
): Promise<Reply> {
  const { queueMessageTimeToLiveInSeconds: secondsToLive = DEFAULT_TTL_SECONDS } = destination.properties;
  const text = Buffer.from(body, 'utf8').toString('base64');
  return outcome(jar, connection, signal, (client) => client.putMessage({ queue: name, text, secondsToLive }));
}

/** A blob of the same name is overwritten: it is the same dead letter, whose confirmation was lost. */
export function writeBlob(
  { body, container, blob: name }: DeadLetterMessage,
  connection: StorageConnection,
  jar: EventsJar,
  signal: AbortSignal,
): Promise<Reply> {
  const blob = { container, name, body, contentType: 'application/json' };
  return outcome(jar, connection, signal, (client) => client.overwrite(blob));
}

async function outcome(
  { outbound }: EventsJar,
  { account }: StorageConnection,
  signal: AbortSignal,
  act: (client: StorageClient) => Promise<void>,
): Promise<Reply> {
  try {
    await Calls.during(signal, (calls) => act(new StorageClient({ outbound, account, calls, trusted: true })));
    return succeeded(201);
  } catch (error) {
    return signal.aborted ? abandoned() : replyOf(error);
  }
}

function replyOf(error: unknown): Reply {
  if (!(error instanceof StorageFailure)) return failureOf(error);
  if (!error.answer) return failureOf(error.cause);
  const { status, code, said } = error.answer;
  return failed(BY_CODE[code] ?? outcomeOf(status), `${code === '' ? status : code}: ${said}`, status);
}
