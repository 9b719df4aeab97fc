import { createSocket, type Socket as Datagrams } from 'node:dgram';
import { type AddressInfo, createServer, isIPv6, type Server, type Socket } from 'node:net';
import type { Logger } from '../../../../kernel/telemetry/index.ts';
import { answerQuery, type Zone } from './answer.ts';

export interface NameServerOptions {
  readonly host: string;
  /** 0 picks a port that is free for both TCP and UDP. */
  readonly port: number;
  readonly zone: Zone;
  readonly log: Logger;
}

export interface NameServer {
  readonly port: number;
  close(): Promise<void>;
}

/** For TCP: a client may keep a connection open for its next query. */
const IDLE_MS = 10_000;
const MOST_CONNECTIONS = 100;
const LENGTH_BYTES = 2;
/** Attempts to find a port: a port that is free for TCP may be in use for UDP. */
const TRIES = 5;

/** A name server that is authoritative for the names of container groups and answers nothing else. */
export async function startNameServer(options: NameServerOptions): Promise<NameServer> {
  for (let rest = options.port === 0 ? TRIES : 1; ; rest--) {
    const tcp = await listenTcp(options);
    const { port } = tcp.address() as AddressInfo;
    try {
      const udp = await listenUdp(options, port);
      return { port, close: () => close(tcp, udp) };
    } catch (error) {
      tcp.close();
      if (rest === 1) throw error;
    }
  }
}

function listenUdp({ host, zone, log }: NameServerOptions, port: number): Promise<Datagrams> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  socket.on('message', (message, from) => {
    answerQuery(zone, message).then(
      (answer) => answer && socket.send(answer, from.port, from.address, () => {}),
      (error) => log.warn({ err: error }, 'a name could not be looked up'),
    );
  });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(port, host, () => {
      socket.off('error', reject);
      socket.on('error', (error) => log.warn({ err: error }, 'the name server could not answer'));
      resolve(socket);
    });
  });
}

function listenTcp({ host, port, zone, log }: NameServerOptions): Promise<Server> {
  const server = createServer((socket) => {
    socket.setTimeout(IDLE_MS, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    serveStream(socket, zone).catch((error) => {
      if (!socket.destroyed) log.warn({ err: error }, 'a name could not be looked up');
      socket.destroy();
    });
    const end = (): void => void socket.destroy();
    server.once('closing', end);
    socket.once('close', () => server.off('closing', end));
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.setMaxListeners(0);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

/** Every message is prefixed with its length (RFC 1035, 4.2.2). Messages of one connection are answered in order. */
async function serveStream(socket: Socket, zone: Zone): Promise<void> {
  let pending = Buffer.alloc(0);
  for await (const chunk of socket) {
    pending = Buffer.concat([pending, chunk as Buffer]);
    for (;;) {
      if (pending.length < LENGTH_BYTES) break;
      const end = LENGTH_BYTES + pending.readUInt16BE(0);
      if (pending.length < end) break;
      const answer = await answerQuery(zone, pending.subarray(LENGTH_BYTES, end));
      pending = pending.subarray(end);
      if (!answer) return;
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt16BE(answer.length);
      socket.write(Buffer.concat([length, answer]));
    }
  }
}

async function close(tcp: Server, udp: Datagrams): Promise<void> {
  tcp.emit('closing');
  await Promise.all([
    new Promise<void>((resolve) => tcp.close(() => resolve())),
    new Promise<void>((resolve) => udp.close(() => resolve())),
  ]);
}
