import type { JarClock } from '../../clock/types.ts';
import type { Running } from './process.ts';
import { Forever } from './shell/machine.ts';
import type { TerminalStream } from './terminal-stream.ts';

/** Writes output at its time. Resolves with the exit code at the end of the process; never resolves if the process runs forever. */
export async function play(
  clock: JarClock,
  stream: TerminalStream,
  { machine, output }: Running,
  { signal, from = Number.NEGATIVE_INFINITY }: { readonly signal: AbortSignal; readonly from?: number },
): Promise<number> {
  const reach = async (time: number): Promise<void> => {
    const ms = time - clock.now();
    if (ms > 0) await clock.sleep(ms, signal);
    signal.throwIfAborted();
  };
  try {
    for (;;) {
      const { done, value } = output.next();
      if (done) {
        await reach(machine.time);
        return value;
      }
      if (value.at <= from) continue;
      await reach(value.at);
      await stream.say(value.text);
      machine.rest();
    }
  } catch (thrown) {
    if (!(thrown instanceof Forever)) throw thrown;
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  }
}
