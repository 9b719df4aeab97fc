import { Duplex, PassThrough, Writable } from 'node:stream';
import type { V1Status } from '@kubernetes/client-node';
import type { WebSocket } from 'ws';
import type { ContainerTarget, ExecOptions, Terminal } from '../types.ts';
import type { Connection } from './connection.ts';
import { podName } from './names.ts';
import { ChannelSocket } from './sockets.ts';

/** Exit codes of shells for a missing command, and for a command that cannot be run. */
const NOT_FOUND = 127;
const CANNOT_RUN = 126;

/** Runs a process in a container, on its own terminal. */
export async function openExec(
  connection: Connection,
  { uid, container }: ContainerTarget,
  { command, rows, cols }: ExecOptions,
): Promise<Terminal> {
  const session = new Session(rows, cols);
  const exec = new connection.library.Exec(connection.config, new ChannelSocket(connection));
  const { namespace } = connection;
  session.opened(
    await exec.exec(
      namespace,
      podName(uid),
      container,
      [...command],
      session.output,
      null,
      session.input,
      true,
      (status) => session.finished(status),
    ),
  );
  return session;
}

/** The output of a container from now on. The process has no stdin, so input is discarded. */
export async function openAttach(connection: Connection, { uid, container }: ContainerTarget): Promise<Terminal> {
  const session = new Session(undefined, undefined);
  const attach = new connection.library.Attach(connection.config, new ChannelSocket(connection));
  const { namespace } = connection;
  session.opened(await attach.attach(namespace, podName(uid), container, session.output, session.output, null, false));
  session.input.resume();
  return session;
}

/** Receives output from the library, and reports the terminal size as the stdout of a Node process does. */
class Output extends Writable {
  rows: number | undefined;
  columns: number | undefined;
  readonly #take: (chunk: Buffer | null) => void;

  constructor(take: (chunk: Buffer | null) => void, rows: number | undefined, columns: number | undefined) {
    super({ decodeStrings: true });
    this.#take = take;
    // The library treats a stream as a terminal if it has these properties at all.
    if (rows === undefined) {
      delete this.rows;
      delete this.columns;
    } else {
      this.rows = rows;
      this.columns = columns;
    }
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#take(chunk);
    done();
  }

  override _final(done: () => void): void {
    this.#take(null);
    done();
  }
}

class Session implements Terminal {
  readonly input = new PassThrough();
  readonly output: Output;
  readonly stream: Duplex;
  #socket: WebSocket | undefined;
  #ended = false;
  #exitCode: number | undefined;
  readonly #closed = Promise.withResolvers<void>();

  constructor(rows: number | undefined, cols: number | undefined) {
    this.output = new Output((chunk) => this.#push(chunk), rows, cols);
    this.stream = new Duplex({
      read: () => this.#socket?.resume(),
      write: (chunk: Buffer, _encoding, done) => {
        if (this.#ended) done();
        else this.input.write(chunk, () => done());
      },
      final: (done) => {
        this.input.end();
        done();
      },
      destroy: (error, done) => {
        this.#socket?.close();
        done(error);
      },
    });
  }

  opened(socket: WebSocket): void {
    this.#socket = socket;
    socket.on('close', () => this.#finish());
    if (socket.readyState > socket.OPEN) this.#finish();
  }

  finished({ status, reason, message = '', details }: V1Status): void {
    if (status === 'Success') this.#exitCode = 0;
    else if (reason === 'NonZeroExitCode') {
      this.#exitCode = Number(details?.causes?.find((it) => it.reason === 'ExitCode')?.message ?? 1);
    } else {
      this.#exitCode = /not found|no such file/i.test(message) ? NOT_FOUND : CANNOT_RUN;
      if (!this.#ended) this.stream.push(`${message}\r\n`);
    }
    this.#finish();
  }

  async resize(rows: number, cols: number): Promise<void> {
    if (this.output.rows === undefined) return;
    this.output.rows = rows;
    this.output.columns = cols;
    this.output.emit('resize');
  }

  async exitCode(): Promise<number | undefined> {
    await this.#closed.promise;
    return this.#exitCode;
  }

  #push(chunk: Buffer | null): void {
    // The end of the stream is written with the status, which may add a message.
    if (chunk === null || this.#ended) return;
    if (!this.stream.push(chunk)) this.#socket?.pause();
  }

  #finish(): void {
    this.#closed.resolve();
    if (this.#ended) return;
    this.#ended = true;
    if (!this.stream.destroyed) this.stream.push(null);
  }
}
