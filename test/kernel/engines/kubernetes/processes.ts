import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';

const STDIN = 0;
const STDOUT = 1;
const STATUS = 3;
const RESIZE = 4;
const CLOSE = 255;

const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

/** A process in a container, controlled by the test. */
export interface Process {
  readonly command: readonly string[];
  readonly terminal: boolean;
  write(text: string | Buffer): void;
  onInput(listener: (data: Buffer) => void): void;
  onInputEnd(listener: () => void): void;
  onResize(listener: (size: { width: number; height: number }) => void): void;
  exit(code: number): void;
  /** Starting the process failed. */
  fail(message: string): void;
  /** The node disappears. */
  drop(): void;
}

/** The streams of exec and attach: byte channels over one WebSocket. */
export class Processes {
  readonly #server: WebSocketServer;
  readonly #open = new Set<WebSocket>();
  /** Protocols that the server supports, in order of preference. */
  protocols = PROTOCOLS;

  constructor() {
    this.#server = new WebSocketServer({
      noServer: true,
      handleProtocols: (offered) => this.protocols.find((it) => offered.has(it)) ?? false,
    });
  }

  open(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    query: URLSearchParams,
    run: (it: Process) => void,
  ): void {
    this.#server.handleUpgrade(request, socket, head, (ws) => {
      this.#open.add(ws);
      ws.on('close', () => this.#open.delete(ws));
      ws.on('error', () => ws.terminate());
      run(processOf(ws, query));
    });
  }

  close(): void {
    for (const ws of this.#open) ws.terminate();
    this.#server.close();
  }
}

function processOf(ws: WebSocket, query: URLSearchParams): Process {
  const listeners = {
    input: [] as ((data: Buffer) => void)[],
    end: [] as (() => void)[],
    resize: [] as ((size: { width: number; height: number }) => void)[],
  };
  const dispatch = (message: Buffer): void => {
    const content = message.subarray(1);
    if (message[0] === STDIN) for (const it of listeners.input) it(content);
    if (message[0] === CLOSE && content[0] === STDIN) for (const it of listeners.end) it();
    if (message[0] === RESIZE) {
      const { Width, Height, width, height } = JSON.parse(content.toString());
      for (const it of listeners.resize) it({ width: width ?? Width, height: height ?? Height });
    }
  };
  ws.on('message', (data: Buffer) => {
    dispatch(data);
  });
  const send = (channel: number, content: string | Buffer): void =>
    ws.send(Buffer.concat([Buffer.from([channel]), Buffer.from(content as string)]));
  const finish = (status: object): void => {
    send(STATUS, JSON.stringify({ apiVersion: 'v1', kind: 'Status', metadata: {}, ...status }));
    // Some servers do this at the end; a client must not close its own streams because of it.
    if (ws.protocol === PROTOCOLS[0]) ws.send(Buffer.from([CLOSE, STDOUT]));
    ws.close(1000);
  };
  return {
    command: query.getAll('command'),
    terminal: query.get('tty') === 'true',
    write: (text) => send(STDOUT, text),
    onInput: (listener) => void listeners.input.push(listener),
    onInputEnd: (listener) => void listeners.end.push(listener),
    onResize: (listener) => void listeners.resize.push(listener),
    exit: (code) => {
      if (code === 0) return finish({ status: 'Success' });
      const causes = [{ reason: 'ExitCode', message: String(code) }];
      finish({ status: 'Failure', reason: 'NonZeroExitCode', message: `exit code ${code}`, details: { causes } });
    },
    fail: (message) => finish({ status: 'Failure', reason: 'InternalError', message, code: 500 }),
    drop: () => ws.terminate(),
  };
}
