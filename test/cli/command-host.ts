import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

export interface Command {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** No program prints it. */
const END = '\x1eend of the command\x1e';

/**
 * A process that stays, and runs one command line after another: a command is over in a fraction of the processor time that Node takes to start and to
 * load it. It lives as long as this process. Not for what needs a process of its own: a jar, signals, flags of Node, standard input.
 */
export class CommandHost {
  readonly #main: string;
  #process: HostProcess | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(main: string) {
    this.#main = main;
  }

  run(command: Command): Promise<Ended> {
    const ended = this.#last.then(() => {
      if (!this.#process?.isAlive) this.#process = new HostProcess(this.#main);
      return this.#process.run(command);
    });
    this.#last = ended.catch(() => {});
    return ended;
  }
}

class HostProcess {
  readonly #child: ChildProcess;
  #out = '';
  #err = '';
  #running: PromiseWithResolvers<Ended> | undefined;

  constructor(main: string) {
    const program = join(import.meta.dirname, 'command-host.mjs');
    const child = spawn(process.execPath, [program, main, END], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    child.unref();
    child.channel?.unref();
    listen(child.stdout, (text) => {
      this.#out += text;
      this.#look();
    });
    listen(child.stderr, (text) => {
      this.#err += text;
      this.#look();
    });
    child.once('exit', (code) => {
      this.#running?.reject(new Error(`the process for commands ended with status ${code}: ${this.#out}${this.#err}`));
    });
    this.#child = child;
  }

  get isAlive(): boolean {
    return this.#child.connected;
  }

  run(command: Command): Promise<Ended> {
    this.#running = Promise.withResolvers<Ended>();
    this.#child.send(command);
    return this.#running.promise;
  }

  /** Both streams say when a command has ended. */
  #look(): void {
    const [stdout = '', code, rest] = this.#out.split(END);
    if (rest === undefined || !this.#err.endsWith(END)) return;
    const stderr = this.#err.slice(0, -END.length);
    this.#out = '';
    this.#err = '';
    this.#running?.resolve({ code: Number(code), stdout, stderr });
  }
}

function listen(stream: Readable | null, hear: (text: string) => void): void {
  stream?.setEncoding('utf8').on('data', hear);
  // A pipe is a socket; it is not to keep this process alive.
  if (stream instanceof Socket) stream.unref();
}
