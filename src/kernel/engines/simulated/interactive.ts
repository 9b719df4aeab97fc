import { StringDecoder } from 'node:string_decoder';
import type { JarClock } from '../../clock/types.ts';
import type { Inside } from './inside.ts';
import { play } from './play.ts';
import { Machine } from './shell/machine.ts';
import { parseScript } from './shell/parser.ts';
import { runScript } from './shell/run.ts';
import { type Node, SyntaxProblem } from './shell/syntax.ts';
import type { TerminalStream } from './terminal-stream.ts';

const PROMPT = '/ # ';
const LONGEST_LINE = 4_096;
/** Limit of lines typed ahead while a command runs. */
const MOST_LINES = 1_000;
const INTERRUPTED = 130;
const BAD_SYNTAX = 2;

export interface Interaction {
  readonly clock: JarClock;
  readonly inside: Inside;
  readonly stream: TerminalStream;
  kill(): Promise<void>;
}

/** A shell at a terminal: echoes input and runs it line by line until `exit` or the end of the input. Returns the exit code. */
export async function interact({ clock, inside, stream, kill }: Interaction): Promise<number> {
  const keyboard = new Keyboard(stream);
  const machine = new Machine({
    startedAt: clock.now(),
    environment: new Map(inside.environment),
    files: new Map(Object.entries(inside.files)),
    hostname: inside.hostname,
    interactive: true,
  });
  for (;;) {
    await stream.say(PROMPT);
    const line = await keyboard.nextLine();
    if (line === undefined) return machine.status;
    if (line.trim() === '') continue;
    if (/^\s*kill\s+(?:-\w+\s+)?1\s*$/.test(line)) {
      await kill();
      continue;
    }
    machine.time = clock.now();
    machine.resetCounts();
    const script = await parsed(line, stream);
    if (!script) {
      machine.status = BAD_SYNTAX;
      continue;
    }
    const interruption = keyboard.listenForInterruption();
    try {
      const output = runScript(script, machine);
      machine.status = await play(clock, stream, { machine, output }, { signal: interruption });
    } catch (error) {
      if (stream.gone.aborted) throw error;
      machine.status = INTERRUPTED;
    }
    if (machine.exited) return machine.status;
  }
}

async function parsed(line: string, stream: TerminalStream): Promise<Node | undefined> {
  try {
    return parseScript(line);
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    await stream.say(`sh: ${error.message}\n`);
    return undefined;
  }
}

/** Splits input into lines and echoes it, as a terminal does. */
class Keyboard {
  readonly #stream: TerminalStream;
  readonly #decoder = new StringDecoder('utf8');
  readonly #lines: string[] = [];
  #line = '';
  #isOver = false;
  #wake: (() => void) | undefined;
  #interruption = new AbortController();

  constructor(stream: TerminalStream) {
    this.#stream = stream;
    stream.gone.addEventListener('abort', () => this.#wake?.(), { once: true });
    stream.listen((bytes) => {
      let shown = '';
      for (const character of this.#decoder.write(bytes)) shown += this.#take(character);
      void stream.say(shown);
      this.#wake?.();
    });
  }

  /** Returns undefined at the end of the input. */
  async nextLine(): Promise<string | undefined> {
    while (this.#lines.length === 0 && !this.#isOver && !this.#stream.gone.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#lines.shift();
  }

  /** Aborted by Ctrl-C, or when the terminal is closed. */
  listenForInterruption(): AbortSignal {
    this.#interruption = new AbortController();
    return AbortSignal.any([this.#interruption.signal, this.#stream.gone]);
  }

  /** Handles one character; returns its echo. */
  #take(character: string): string {
    switch (character) {
      case '\r':
      case '\n':
        if (this.#lines.length < MOST_LINES) this.#lines.push(this.#line);
        this.#line = '';
        return '\n';
      case '\u0003':
        this.#line = '';
        this.#interruption.abort();
        if (this.#lines.length === 0) this.#lines.push('');
        return '^C\n';
      case '\u0004':
        if (this.#line === '') this.#isOver = true;
        return '';
      case '\b':
      case '\u007f':
        if (this.#line === '') return '';
        this.#line = this.#line.slice(0, -1);
        return '\b \b';
      default:
        if (character < ' ' || this.#line.length >= LONGEST_LINE) return '';
        this.#line += character;
        return character;
    }
  }
}
