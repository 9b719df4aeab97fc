// Receivers in their own process: the requested number, each on its own port. The last ones may be dead: they accept a request and never
// answer. They answer handshakes, and report the number of messages whenever this process receives a message.
import { createServer } from 'node:http';

const [count, dead] = process.argv.slice(2).map(Number);

let messages = 0;
process.on('message', () => process.send?.({ messages }));

const servers = Array.from({ length: count ?? 1 }, (_, i) =>
  createServer((request, response) => {
    if (request.headers['aeg-event-type'] === 'SubscriptionValidation') {
      void agree(request, response);
      return;
    }
    messages += 1;
    request.resume();
    if (i < (count ?? 1) - (dead ?? 0)) request.on('end', () => response.end());
  }),
);
/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function agree(request, response) {
  const [event] = JSON.parse(Buffer.concat(await request.toArray()).toString());
  response.end(JSON.stringify({ validationResponse: event.data.validationCode }));
}

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
