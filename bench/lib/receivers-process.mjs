// Receivers in a process of their own: as many as asked for, each on its own port. The last ones may be dead: they take a request and say nothing.
import { createServer } from 'node:http';

const [count, dead] = process.argv.slice(2).map(Number);

const servers = Array.from({ length: count ?? 1 }, (_, i) =>
  createServer((request, response) => {
    request.resume();
    if (i < (count ?? 1) - (dead ?? 0)) request.on('end', () => response.end());
  }),
);
const ports = await Promise.all(
  servers.map(
    (server) =>
      new Promise((resolve) => {
        server.listen(0, '127.0.0.1', () => {
          const address = server.address();
          resolve(typeof address === 'object' && address !== null ? address.port : 0);
        });
      }),
  ),
);
process.send?.(ports);
process.on('disconnect', () => process.exit());
