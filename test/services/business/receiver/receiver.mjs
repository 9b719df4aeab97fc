// @ts-check
// A subscriber as somebody would write it who has read nothing but the description of webhooks: it answers the handshake, notes what it is told,
// follows each resource that is named, and keeps a copy of the customers of one company up to date. Nothing here knows of the jar.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const { RECEIVER_CERT, RECEIVER_KEY, BASE_URL, ACCESS_TOKEN, CLIENT_STATE } = /** @type {Record<string, string>} */ (
  process.env
);

/** @type {Map<string, unknown>} */
const customers = new Map();

/** @param {string} path */
async function get(path) {
  const response = await fetch(new URL(path, BASE_URL), { headers: { Authorization: `Bearer ${ACCESS_TOKEN}` } });
  return { status: response.status, body: /** @type {any} */ (await response.json()) };
}

/** @param {{ clientState: string, resource: string, changeType: string }} notification */
async function apply({ clientState, resource, changeType }) {
  if (clientState !== CLIENT_STATE) return;
  const key = /\(([^()]+)\)$/.exec(resource)?.[1] ?? '';
  if (changeType === 'deleted') customers.delete(key);
  else if (changeType === 'collection') {
    for (let next = resource; next; ) {
      const { body } = await get(next);
      for (const customer of body.value) customers.set(customer.id, customer.displayName);
      next = body['@odata.nextLink'];
    }
  } else {
    const { status, body } = await get(resource);
    if (status === 200) customers.set(body.id, body.displayName);
    else customers.delete(key);
  }
}

const server = createServer(
  {
    cert: readFileSync(/** @type {string} */ (RECEIVER_CERT)),
    key: readFileSync(/** @type {string} */ (RECEIVER_KEY)),
  },
  async (request, response) => {
    const token = new URL(request.url ?? '/', 'https://localhost').searchParams.get('validationToken');
    let text = '';
    for await (const chunk of request) text += chunk;
    if (token !== null) return void response.writeHead(200, { 'Content-Type': 'text/plain' }).end(token);
    for (const notification of JSON.parse(text).value) {
      await apply(notification);
      console.log(`told ${notification.changeType} ${notification.resource}`);
    }
    response.writeHead(202).end();
    console.log(`copy ${JSON.stringify([...customers])}`);
  },
);
server.listen(0, 'localhost', () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  console.log(`listening on ${address.port}`);
});
