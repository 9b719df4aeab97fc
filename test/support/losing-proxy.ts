import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface LosingProxy {
  readonly url: string;
  /** The next message with this text reaches the server, its answer does not reach the client: the connection breaks instead. Others stay. */
  loseNext(text: string): void;
  /** Ends all connections and refuses new ones, until the function that it gives is called. */
  cutOff(): Promise<() => Promise<void>>;
  stop(): Promise<void>;
}

/** Stands between a store and its PostgreSQL. */
export async function losingProxy(databaseUrl: string): Promise<LosingProxy> {
  const target = new URL(databaseUrl);
  let armed: string | undefined;
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    let losing = false;
    clients.add(client);
    client.once('close', () => clients.delete(client));
    client.on('data', (bytes) => {
      if (armed !== undefined && bytes.includes(armed)) {
        armed = undefined;
        losing = true;
      }
      database.write(bytes);
    });
    database.on('data', (bytes) => (losing ? client.destroy() : client.write(bytes)));
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      one.on('error', () => {});
      one.on('close', () => other.destroy());
    }
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stop = async (): Promise<void> => {
    for (const client of clients) client.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(databaseUrl);
  url.port = String(port);
  return {
    url: url.href,
    loseNext: (text) => {
      armed = text;
    },
    cutOff: async () => {
      await stop();
      return () => listen(port);
    },
    stop,
  };
}
