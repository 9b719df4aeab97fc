import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addressOf } from '../../../../src/services/events/destinations/function.ts';
import { sendToResource } from '../../../../src/services/events/destinations/send.ts';
import type { StartJarOptions } from '../../../../src/testing/index.ts';
import { EVENT, jarWith, messageTo, patiently, SITE } from './support.ts';

/** A function host on this machine, over plain http, as developers have it. */
const seen: { url: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
let answer = { status: 200, body: 'done' };
const host = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    seen.push({ url: request.url, headers: request.headers, body });
    response.writeHead(answer.status, { 'retry-after': '7' }).end(answer.body);
  });
});
let origin = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(host.address() as { port: number }).port}`;
});
afterAll(() => {
  host.closeAllConnections();
  host.close();
});

const toFunction = () =>
  messageTo('AzureFunction', { resourceId: `${SITE}/functions/fill` }, { body: JSON.stringify([EVENT]) });

it('an event for a function is posted to the host of its site, with the headers of a web hook', async () => {
  const { running, jar } = await jarWith({ [SITE]: origin });
  answer = { status: 202, body: '' };
  expect(await sendToResource(toFunction(), jar, patiently())).toMatchObject({ outcome: 'Succeeded', status: 202 });
  const request = seen.pop();
  expect(request?.url).toBe('/runtime/webhooks/EventGrid?functionName=fill');
  expect(JSON.parse(request?.body ?? '')).toEqual([EVENT]);
  expect(request?.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'aeg-event-type': 'Notification',
    'aeg-subscription-name': 'MINE',
  });
  await running.close();
});

it('a jar that others can reach also calls a function on this machine: the operator chooses the address, not its users', async () => {
  const { running, jar } = await jarWith({ [`${SITE}/functions/fill`]: `${origin}/api/fill?code=key` }, {
    host: '0.0.0.0',
  } as StartJarOptions);
  answer = { status: 503, body: 'starting' };
  const reply = await sendToResource(toFunction(), jar, patiently());
  expect(reply).toMatchObject({ outcome: 'Busy', status: 503, body: 'starting', headers: { 'retry-after': '7' } });
  expect(seen.pop()?.url).toBe('/api/fill?code=key');
  await running.close();
});

it('the beginning of a long answer is kept', async () => {
  const { running, jar } = await jarWith({ [SITE]: origin });
  answer = { status: 200, body: 'x'.repeat(1_000_000) };
  const reply = await sendToResource(toFunction(), jar, patiently());
  expect(reply.status).toBe(200);
  expect(reply.body.length).toBeLessThanOrEqual(1024);
  await running.close();
});

it('an unreachable host is a SocketError, and an aborted call resolves at once', async () => {
  const { running, jar } = await jarWith({ [SITE]: 'http://127.0.0.1:1' });
  expect(await sendToResource(toFunction(), jar, patiently())).toMatchObject({ outcome: 'SocketError' });
  const controller = new AbortController();
  controller.abort();
  expect(await sendToResource(toFunction(), jar, controller.signal)).toMatchObject({ outcome: 'Aborted' });
  await running.close();
});

it.each([
  ['http://host', 'http://host/runtime/webhooks/EventGrid?functionName=fill'],
  ['http://host/', 'http://host/runtime/webhooks/EventGrid?functionName=fill'],
  ['http://host/api/x', 'http://host/api/x'],
  ['http://host/?code=k', 'http://host/?code=k'],
])('%s becomes %s', (url, expected) => {
  expect(addressOf({ kind: 'function', url }, { name: 'fill', entityId: `${SITE}/functions/fill` })).toBe(expected);
});
