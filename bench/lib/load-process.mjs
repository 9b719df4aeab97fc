// Loads a server with autocannon, in its own process so that generator and server run on different cores. The order is the only argument;
// the result is sent to the parent as a message.
import autocannon from 'autocannon';

/** @type {import('./load.ts').Load} */
const { url, method, headers, body, connections, seconds, rate, numbered, from } = JSON.parse(process.argv[2] ?? '{}');

// Each request gets a new address, so that every write creates a document.
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
  ...(rate && { overallRate: rate }),
  ...(numbered && { requests: [{ setupRequest }] }),
});

const { user, system } = process.cpuUsage(processorBefore);
process.send?.({
  requests: result.requests.total,
  seconds: result.duration,
  failed: result.non2xx + result.errors + result.timeouts,
  busy: (user + system) / 1e6 / result.duration,
});
