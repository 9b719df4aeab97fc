import type { Terminal } from '../../../kernel/engines/index.ts';
import { after, pause } from '../../../kernel/time/index.ts';

/** How a process ended is good to know, but nobody is kept waiting for it. Real time, like the process. */
const WITHIN_MS = 3_000;
const ASK_AGAIN_MS = 50;

/** `exit code 4`, or nothing where the engine does not know. An engine may say for a moment after the last output that the process still runs. */
export async function describeEnd(terminal: Pick<Terminal, 'exitCode'>, listenerLeft: AbortSignal): Promise<string> {
  let isTimeUp = false;
  let cancel = (): void => {};
  const timeIsUp = new Promise<undefined>((resolve) => {
    cancel = after(WITHIN_MS, () => {
      isTimeUp = true;
      resolve(undefined);
    });
  });
  const ask = async (): Promise<number | undefined> => {
    for (;;) {
      const code = await terminal.exitCode();
      if (code !== undefined || isTimeUp || listenerLeft.aborted) return code;
      await pause(ASK_AGAIN_MS);
    }
  };
  const code = await Promise.race([ask().catch(() => undefined), timeIsUp]);
  cancel();
  return code === undefined ? '' : `exit code ${code}`;
}
