import type { Jar } from '../../../../kernel/jar-context.ts';
import type { ExecOptions, Terminal } from '../types.ts';
import { behaviourOf } from './behaviour.ts';
import type { SimulatedContainer } from './collections.ts';
import type { Inside } from './inside.ts';
import { interact } from './interactive.ts';
import { begin, isShell, programOf, type Running } from './process.ts';
import { Forever } from './shell/machine.ts';
import { TerminalStream } from './terminal-stream.ts';

export interface ExecRequest {
  readonly jar: Jar;
  /** With its files as they are now. */
  readonly inside: Inside;
  readonly options: ExecOptions;
  /** Ends the first process of the container. */
  kill(): Promise<void>;
}

/** A further process in a container: a shell that can be talked to, or one command. */
export function execTerminal({ jar, inside, options, kill }: ExecRequest): OpenTerminal {
  const stream = new TerminalStream();
  const [first, ...rest] = options.command;
  return serve(stream, async () => {
    if (isShell(first) && rest.length === 0) return interact({ jar, inside, stream, kill });
    const startedAt = jar.clock.now();
    const running = begin(programOf(options.command, {}), inside, { startedAt, interactive: true });
    return play(jar, stream, running, { signal: stream.gone });
  });
}

export interface AttachRequest {
  readonly jar: Jar;
  readonly container: SimulatedContainer;
  readonly inside: Inside;
}

/** What the first process writes from now on. It reads no input. */
export function attachTerminal({ jar, container, inside }: AttachRequest): OpenTerminal {
  const stream = new TerminalStream();
  const now = jar.clock.now();
  const { startedAt, image, run, end } = container;
  stream.onInput = () => {};
  return serve(stream, async () => {
    const program = programOf(inside.command, behaviourOf(image, run));
    const running = begin(program, inside, { startedAt, interestedFrom: now });
    const exitCode = await play(jar, stream, running, { signal: stream.gone, from: now });
    return end?.exitCode ?? exitCode;
  });
}

/** A terminal that the engine can end, since what it is connected to has ended. */
export interface OpenTerminal extends Terminal {
  end(exitCode: number): void;
}

function serve(stream: TerminalStream, work: () => Promise<number>): OpenTerminal {
  let ended: number | undefined;
  const finish = (exitCode: number | undefined): void => {
    ended ??= exitCode;
    stream.finish();
  };
  void work().then(finish, () => finish(undefined));
  return {
    stream,
    resize: async () => {},
    async exitCode() {
      await stream.finished;
      return ended;
    },
    end: finish,
  };
}

/** Lets output appear at its time; gives the exit code when that comes, and never comes back from what runs for ever. */
export async function play(
  { clock }: Jar,
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
