import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface LosingProxy {
  readonly url: string;
  /**
   * Delivers the next message with this text to the server and breaks the connection instead of returning the answer. Other connections
   * stay.
   */
  loseNext(text: string): void;
  /** Closes all connections and refuses new ones, until the returned function is called. */
  cutOff(): Promise<() => Promise<void>>;
  stop(): Promise<void>;
}

/** A proxy between a store and its PostgreSQL. */
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
