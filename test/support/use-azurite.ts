import { afterAll, type TestContext } from 'vitest';
import { type AzuriteServer, startAzurite } from './azurite.ts';

let shared: Promise<AzuriteServer> | undefined;

/** The server of a test file, started by the first test that needs it; a test is skipped if none is available. */
export async function useAzurite(context: Pick<TestContext, 'skip'>): Promise<AzuriteServer> {
  shared ??= startAzurite();
  return shared.catch((error: Error) => context.skip(error.message));
}

/** Must be called once by a file that uses `useAzurite`. */
export function stopAzuriteAfterwards(): void {
  afterAll(async () => {
    await (await shared?.catch(() => undefined))?.stop();
    shared = undefined;
  });
}
