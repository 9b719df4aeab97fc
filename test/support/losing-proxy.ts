import { type AddressInfo, connect, createServer } from 'node:net';

export interface LosingProxy {
  readonly url: string;
  /** The next COMMIT reaches the server, its answer does not reach the client: the connection breaks instead. Others stay. */
  loseNextCommit(): void;
  stop(): Promise<void>;
}

/** Stands between a store and its PostgreSQL. */
export async function losingProxy(databaseUrl: string): Promise<LosingProxy> {
  const target = new URL(databaseUrl);
  let armed = false;
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    let losing = false;
    client.on('data', (bytes) => {
      if (armed && bytes.includes('COMMIT\0')) {
        armed = false;
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    loseNextCommit: () => {
      armed = true;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
