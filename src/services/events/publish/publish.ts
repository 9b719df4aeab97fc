import type { Answer } from '../../../kernel/http/index.ts';
import { type Decision, retryHeaders } from '../../../kernel/limits/index.ts';
import { type EventsCall, routeCode } from '../jar.ts';
import { findTarget } from '../topics/lookup.ts';
import { type Address, authenticate } from './authenticate.ts';
import { publishErrors } from './errors.ts';
import { hand } from './hand.ts';
import { BYTES_PER_SECOND, EVENTS_PER_SECOND } from './limits.ts';
import { quote } from './mistakes.ts';
import { checkNetwork } from './network.ts';
import { planOf } from './plan.ts';
import { readEvents } from './read-events.ts';

/** `orders.westus.events.localhost:7443` */
const HOST = /^([^.:]+)\.([^.:]+)\.events\.localhost(?::\d+)?$/i;

const PUBLISHED: Answer = { status: 200 };

export const publishToPath = routeCode(['region', 'name'], {
  responses: { 200: 'The events are kept, and will be delivered' },
  handle: (call) => publish(call, call.params.region, call.params.name),
});

export const publishToHost = routeCode([], {
  responses: { 200: 'The events are kept, and will be delivered' },
  handle(call) {
    const [, name, region] = HOST.exec(call.headers.host as string) ?? [];
    if (name !== undefined && region !== undefined) return publish(call, region, name);
    throw publishErrors.NotFound({ name: quote(String(call.headers.host)), region: '' });
  },
});

/** All events of a request or none, kept before they are acknowledged. */
async function publish(call: EventsCall, region: string, name: string): Promise<Answer> {
  const { jar } = call;
  const target = await findTarget(jar, region, name);
  if (!target) throw publishErrors.NotFound({ name: quote(name), region: quote(region) });
  const plan = planOf(target);
  const address = addressOf(call, region, name);
  checkNetwork(call, plan, address.text);
  await authenticate(call, plan, address);
  const bytes = call.body as Buffer | undefined;
  const read = readEvents(call, plan, bytes);
  const scope = [plan.key];
  const decision = jar.limits.take(
    [
      { limit: EVENTS_PER_SECOND, scope, cost: read.events.length },
      { limit: BYTES_PER_SECOND, scope, cost: bytes?.length ?? 0 },
    ],
    { id: plan.key, name: plan.resource.name },
  );
  checkRate(decision instanceof Promise ? await decision : decision, address);
  await jar.store.transact((tx) => hand(tx, jar, plan, read));
  return PUBLISHED;
}

const addressOf = (call: EventsCall, region: string, name: string): Address => ({
  text: `${name}.${region}`.toLowerCase(),
  urls: () => [
    `${call.origin}/events/${region}/${name}/api/events`,
    `https://localhost/events/${region}/${name}/api/events`,
    `https://${name}.${region}.events.localhost/api/events`,
  ],
});

function checkRate(decision: Decision, { text: endpoint }: Address): void {
  const { allowed, hopeless, refusedBy, retryAfterSeconds, readings } = decision;
  if (allowed) return;
  const maximum = readings.find(({ limit }) => limit === refusedBy)?.maximum ?? 0;
  const advice = hopeless ? 'send less in one request' : `try again after ${retryAfterSeconds} seconds`;
  throw publishErrors.TooManyRequests(
    { endpoint, title: refusedBy?.title ?? '', maximum, advice },
    // Clients would wait for as long as they are told.
    { headers: hopeless ? {} : retryHeaders(decision) },
  );
}
