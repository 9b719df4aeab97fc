import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Never printed by a program. */
const END = '\x1eend of the command\x1e';

/**
 * A persistent process that runs one command after another: starting Node and loading the code for each takes far more processor time than
 * the command itself. It lives as long as this process. Not for commands that need their own process: signals, flags of Node, standard
 * input.
 *
 * Its program receives each command as a message. When the command has ended, it prints the mark, which is its last argument: around the
 * exit status on stdout, and once on stderr.
 */
export class CommandHost<Command extends object> {
  readonly #program: readonly string[];
  readonly #options: SpawnOptions;
  #process: HostProcess<Command> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(program: readonly string[], options: SpawnOptions = {}) {
    this.#program = program;
    this.#options = options;
  }

  run(command: Command): Promise<Ended> {
    const ended = this.#last.then(() => {
      if (!this.#process?.isAlive) this.#process = new HostProcess(this.#program, this.#options);
      return this.#process.run(command);
    });
    this.#last = ended.catch(() => {});
    return ended;
  }

  close(): void {
    this.#process?.close();
  }
}

class HostProcess<Command extends object> {
  readonly #child: ChildProcess;
  #out = '';
  #err = '';
  #running: PromiseWithResolvers<Ended> | undefined;

  constructor(program: readonly string[], options: SpawnOptions) {
    const child = spawn(process.execPath, [...program, END], { ...options, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
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

  close(): void {
    this.#child.kill('SIGKILL');
  }

  /** A command has ended when both streams contain the mark. */
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
  // A pipe is a socket; it must not keep this process alive.
  if (stream instanceof Socket) stream.unref();
}
