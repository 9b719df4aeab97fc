import type { BlobServiceClient } from '@azure/storage-blob';
import type { QueueServiceClient } from '@azure/storage-queue';
import { failureOf, outcomeOf } from '../../../kernel/delivery/outcomes.ts';
import type { Outcome, Reply } from '../../../kernel/delivery/policy.ts';
import type { StorageConnection } from './connection-strings.ts';
import { abandoned, failed, succeeded } from './replies.ts';
import type { DeadLetterMessage, ResourceMessage } from './send.ts';
import type { Target } from './targets.ts';

/** Of the storage service, where a subscription does not say otherwise. */
const DEFAULT_TTL_SECONDS = 7 * 24 * 3600;

/** The delivery engine tries again, by the jar's clock; the clients must not do so by theirs. */
const OPTIONS = { retryOptions: { maxTries: 1 } } as const;

/** Codes of the service that say more than their status. */
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

interface Clients {
  queues?: Promise<QueueServiceClient>;
  blobs?: Promise<BlobServiceClient>;
}

const clients = new WeakMap<StorageConnection, Clients>();

function clientsOf(connection: StorageConnection): Clients {
  let made = clients.get(connection);
  if (!made) {
    made = {};
    clients.set(connection, made);
  }
  return made;
}

export async function putQueueMessage(
  { body, destination }: ResourceMessage,
  { name }: Target,
  connection: StorageConnection,
  signal: AbortSignal,
): Promise<Reply> {
  const { queueMessageTimeToLiveInSeconds: messageTimeToLive = DEFAULT_TTL_SECONDS } = destination.properties;
  return outcome(signal, async () => {
    const service = await queueService(connection);
    const text = Buffer.from(body, 'utf8').toString('base64');
    await service.getQueueClient(name).sendMessage(text, { messageTimeToLive, abortSignal: signal });
  });
}

/** A blob of the same name is written over: it is the same dead letter, whose confirmation got lost. */
export async function writeBlob(
  { body, container, blob }: DeadLetterMessage,
  connection: StorageConnection,
  signal: AbortSignal,
): Promise<Reply> {
  return outcome(signal, async () => {
    const service = await blobService(connection);
    await service
      .getContainerClient(container)
      .getBlockBlobClient(blob)
      .upload(body, Buffer.byteLength(body), {
        blobHTTPHeaders: { blobContentType: 'application/json' },
        abortSignal: signal,
      });
  });
}

function queueService(connection: StorageConnection): Promise<QueueServiceClient> {
  const made = clientsOf(connection);
  made.queues ??= import('@azure/storage-queue').then((library) =>
    library.QueueServiceClient.fromConnectionString(connection.text, OPTIONS),
  );
  return made.queues;
}

function blobService(connection: StorageConnection): Promise<BlobServiceClient> {
  const made = clientsOf(connection);
  made.blobs ??= import('@azure/storage-blob').then((library) =>
    library.BlobServiceClient.fromConnectionString(connection.text, OPTIONS),
  );
  return made.blobs;
}

async function outcome(signal: AbortSignal, work: () => Promise<void>): Promise<Reply> {
  try {
    await work();
    return succeeded(201);
  } catch (error) {
    return signal.aborted ? abandoned() : replyOf(error);
  }
}

interface StorageError {
  readonly statusCode?: number;
  readonly message: string;
  readonly code?: string;
  readonly details?: { readonly errorCode?: string };
}

function replyOf(error: unknown): Reply {
  if (!(error instanceof Error)) return failureOf(error);
  const { statusCode: status, code, details, message } = error as StorageError;
  if (status === undefined) return failureOf(error);
  const named = details?.errorCode ?? code ?? '';
  // The first line says what is wrong; what follows is the request's number and time.
  const reason = `${named === '' ? status : named}: ${message.split('\n', 1)[0]}`;
  return failed(BY_CODE[named] ?? outcomeOf(status), reason, status);
}
