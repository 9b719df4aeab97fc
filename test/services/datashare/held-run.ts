import { BlobServiceClient } from '@azure/storage-blob';
import { onTestFinished, type TestContext } from 'vitest';
import { type StartJarOptions, startJar, type TestJar } from '../../../src/testing/index.ts';
import type { Bench, CallOptions, Reply } from '../../support/jars.ts';
import { StorageGate } from '../../support/storage-gate.ts';
import { trust } from '../../support/trust.ts';
import { useAzurite } from '../../support/use-azurite.ts';
import {
  type Ask,
  giver,
  makeAccounts,
  type Shared,
  type StorageFolder,
  shareContainer,
  TAKEN,
  taker,
} from './support.ts';

/** How many files the source has. */
export const FILES = 40;

export interface HeldRun {
  readonly gate: StorageGate;
  readonly give: Ask;
  readonly take: Ask;
  readonly shared: Shared;
  readonly id: string;
  readonly headers: Headers;
  readonly jar: TestJar;
  /** Lets the source respond again; waiting requests are disconnected. */
  goOn(): void;
  /** Restarts the jar with the same database. */
  again(): Promise<{ readonly jar: TestJar; readonly give: Ask; readonly take: Ask }>;
}

/** A run in progress: its source blob storage does not respond until told to. */
export async function heldRun(
  context: TestContext,
  folder: StorageFolder,
  options: StartJarOptions = {},
): Promise<HeldRun> {
  const azurite = await useAzurite(context);
  const gate = await StorageGate.before(azurite);
  onTestFinished(() => gate.close());
  const blobs = BlobServiceClient.fromConnectionString(azurite.connectionString());
  const source = blobs.getContainerClient(`data${process.hrtime.bigint()}`);
  await source.create();
  for (let i = 0; i < FILES; i++)
    await source.getBlockBlobClient(`file-${String(i).padStart(2, '0')}`).uploadData(Buffer.from(`${i}`));
  await folder.delete('target', '.');
  const start = async () => {
    const jar = await startJar({
      settings: { datashare: { storageRoot: folder.root, storageAccounts: { source: gate.connectionString() } } },
      ...options,
    });
    onTestFinished(() => jar.close());
    trust(jar);
    const bench = { jar, call: callerOf(jar.url) };
    return { jar, give: await giver(bench), take: await taker(bench) };
  };
  const { jar, give, take } = await start();
  await makeAccounts(give, take);
  const shared = await shareContainer(give, take, source.containerName);
  gate.mood = 'hold';
  const { body, headers } = await take('POST', `${TAKEN}/synchronize`);
  await gate.held;
  const goOn = (): void => {
    gate.mood = 'work';
    gate.release();
  };
  return { gate, give, take, shared, id: body.synchronizationId, headers, jar, goOn, again: start };
}

const callerOf =
  (url: string): Bench['call'] =>
  async (method: string, path: string, { body, token }: CallOptions = {}): Promise<Reply> => {
    const response = await fetch(path.startsWith('http') ? path : url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    const { status, headers } = response;
    return { status, headers, text, body: text === '' ? undefined : JSON.parse(text) };
  };
