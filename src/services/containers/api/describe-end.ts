import type { Terminal } from '../../../kernel/engines/index.ts';
import { after, pause } from '../../../kernel/time/index.ts';

/** Maximum wait for the exit code: it is useful, but not worth keeping the client waiting. Real time, as processes run in real time. */
const WITHIN_MS = 3_000;
const ASK_AGAIN_MS = 50;

/**
 * `exit code 4`, or an empty text if the engine does not know the code. For a moment after the last output, an engine may still report the
 * process as running.
 */
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
