// Puts load on a server by autocannon, in a process of its own so that generator and server run on different cores.
// The order comes as the one argument, the outcome goes to the parent as a message.
import autocannon from 'autocannon';

/** @type {import('./load.ts').Load} */
const { url, method, headers, body, connections, seconds, numbered, from } = JSON.parse(process.argv[2] ?? '{}');

// Each request to an address that none before it had: what is written is new.
let next = from;
const setupRequest = (request) => ({ ...request, path: numbered.replace('{n}', String(next++)) });

const processorBefore = process.cpuUsage();
const result = await autocannon({
  url,
  method,
  headers,
  body,
  connections,
  duration: seconds,
  ...(numbered && { requests: [{ setupRequest }] }),
});

const { user, system } = process.cpuUsage(processorBefore);
process.send?.({
  requests: result.requests.total,
  seconds: result.duration,
  failed: result.non2xx + result.errors + result.timeouts,
  busy: (user + system) / 1e6 / result.duration,
});
