import { type Answer, type FamilyShape, routesFor } from '../../../kernel/http/index.ts';
import { type Decision, retryHeaders } from '../../../kernel/limits/index.ts';
import type { Call } from '../../../kernel/service/index.ts';
import type { EventsJar } from '../jar.ts';
import { findTarget } from '../topics/lookup.ts';
import { type Address, authenticate } from './authenticate.ts';
import { publishErrors } from './errors.ts';
import { hand } from './hand.ts';
import { BYTES_PER_SECOND, EVENTS_PER_SECOND } from './limits.ts';
import { quote } from './mistakes.ts';
import { checkNetwork } from './network.ts';
import { type Plan, planOf } from './plan.ts';
import { readEvents } from './read-events.ts';

/** `orders.westus.events.localhost:7443` */
const HOST = /^([^.:]+)\.([^.:]+)\.events\.localhost(?::\d+)?$/i;

const PUBLISHED: Answer = { status: 200 };

/** Target of an admitted publisher. */
interface Admitted {
  readonly plan: Plan;
  readonly address: Address;
}

interface PublishShape extends FamilyShape {
  readonly facts: { admitted?: Admitted };
}

type PublishCall = Call<Call['params'], Call['query'], unknown, EventsJar, PublishShape>;

const { routeCode } = routesFor<EventsJar, PublishShape>();

export const publishToPath = routeCode(['region', 'name'], {
  responses: { 200: 'The events are stored and will be delivered' },
  admit: (call) => admit(call, call.params.region, call.params.name),
  handle: (call) => publish(call),
});

export const publishToHost = routeCode([], {
  responses: { 200: 'The events are stored and will be delivered' },
  admit(call) {
    const [, name, region] = HOST.exec(call.headers.host as string) ?? [];
    if (name !== undefined && region !== undefined) return admit(call, region, name);
    throw publishErrors.NotFound({ name: quote(String(call.headers.host)), region: '' });
  },
  handle: (call) => publish(call),
});

/** Authenticates at the topic, because each topic has its own keys and roles. */
async function admit(call: PublishCall, region: string, name: string): Promise<void> {
  const target = await findTarget(call.jar, region, name);
  if (!target) throw publishErrors.NotFound({ name: quote(name), region: quote(region) });
  const plan = planOf(target);
  const address = addressOf(call, region, name);
  checkNetwork(call, plan, address.text);
  await authenticate(call, plan, address);
  call.facts.admitted = { plan, address };
}

/** Publishes all events of a request or none; they are stored before the answer acknowledges them. */
async function publish(call: PublishCall): Promise<Answer> {
  const { jar } = call;
  const { admitted } = call.facts;
  if (!admitted) throw new Error('a publisher is admitted before its events are read');
  const { plan, address } = admitted;
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
  await jar.store.transact((tx) => hand(tx, jar, plan, read, channelNamed(call)));
  return PUBLISHED;
}

/** Channel name for a partner namespace that routes by header; a header that is sent twice arrives as a list. */
const channelNamed = ({ headers }: PublishCall): string | undefined => headers['aeg-channel-name']?.toString();

const addressOf = (call: PublishCall, region: string, name: string): Address => ({
  text: `${name}.${region}`.toLowerCase(),
  urls: () => [
    `${call.origin}/events/${region}/${name}/api/events`,
    `https://localhost/events/${region}/${name}/api/events`,
    `https://${name}.${region}.events.localhost/api/events`,
  ],
});

function checkRate(decision: Decision, { text: endpoint }: Address): void {
  const { allowed, exceedsMaximum, refusedBy, retryAfterSeconds, readings } = decision;
  if (allowed) return;
  const maximum = readings.find(({ limit }) => limit === refusedBy)?.maximum ?? 0;
  const advice = exceedsMaximum ? 'send less in one request' : `try again after ${retryAfterSeconds} seconds`;
  throw publishErrors.TooManyRequests(
    { endpoint, title: refusedBy?.title ?? '', maximum, advice },
    // A request that can never fit gets no Retry-After: clients would wait in vain.
    { headers: exceedsMaximum ? {} : retryHeaders(decision) },
  );
}
