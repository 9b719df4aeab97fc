import { afterAll, type TestContext } from 'vitest';
import { type AzuriteServer, startAzurite } from './azurite.ts';

let shared: Promise<AzuriteServer> | undefined;

/** The server of a test file, started by the first test that asks; a test is reported as not run where there is none to be had. */
export async function useAzurite(context: Pick<TestContext, 'skip'>): Promise<AzuriteServer> {
  shared ??= startAzurite();
  return shared.catch((error: Error) => context.skip(error.message));
}

/** To be called once by a file that uses `useAzurite`. */
export function stopAzuriteAfterwards(): void {
  afterAll(async () => {
    await (await shared?.catch(() => undefined))?.stop();
    shared = undefined;
  });
}
