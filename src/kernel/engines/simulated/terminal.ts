import type { JarClock } from '../../clock/types.ts';
import type { ExecOptions, Terminal } from '../types.ts';
import { behaviourOf } from './behaviour.ts';
import type { SimulatedContainer } from './collections.ts';
import type { Inside } from './inside.ts';
import { interact } from './interactive.ts';
import { play } from './play.ts';
import { begin, isShell, programOf } from './process.ts';
import { TerminalStream } from './terminal-stream.ts';

export interface ExecRequest {
  readonly clock: JarClock;
  /** With the current files. */
  readonly inside: Inside;
  readonly options: ExecOptions;
  /** Ends the container's first process. */
  kill(): Promise<void>;
}

/** Another process in a container: an interactive shell or one command. */
export function execTerminal({ clock, inside, options, kill }: ExecRequest): OpenTerminal {
  const stream = new TerminalStream();
  const [first, ...rest] = options.command;
  return serve(stream, async () => {
    if (isShell(first) && rest.length === 0) return interact({ clock, inside, stream, kill });
    const startedAt = clock.now();
    const running = begin(programOf(options.command, {}), inside, { startedAt, interactive: true });
    return play(clock, stream, running, { signal: stream.gone });
  });
}

export interface AttachRequest {
  readonly clock: JarClock;
  readonly container: SimulatedContainer;
  readonly inside: Inside;
}

/** Output of the first process from now on. The process reads no input. */
export function attachTerminal({ clock, container, inside }: AttachRequest): OpenTerminal {
  const stream = new TerminalStream();
  const now = clock.now();
  const { startedAt, image, run, end } = container;
  stream.onInput = () => {};
  return serve(stream, async () => {
    const program = programOf(inside.command, behaviourOf(image, run));
    const running = begin(program, inside, { startedAt, interestedFrom: now });
    const exitCode = await play(clock, stream, running, { signal: stream.gone, from: now });
    return end?.exitCode ?? exitCode;
  });
}

/** A terminal that the engine can end when its container ends. */
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
