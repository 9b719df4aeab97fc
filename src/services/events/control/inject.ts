import { Type } from 'typebox';
import { canonicalNamespace, parseScope, resources, subscriptions } from '../../../kernel/arm/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import type { Json } from '../../../kernel/store/index.ts';
import { acceptCounted } from '../accept.ts';
import type { GridEvent, Publication } from '../event.ts';
import { readTime } from '../forms/times.ts';
import { type EventsJar, routeCode } from '../jar.ts';
import { scopesOfSource } from '../system-topics/source.ts';
import { sourceIdOf, sourceKeyOf } from '../system-topics/stored.ts';
import { isSourceOf, TOPIC_TYPE_TABLE } from '../topics/topic-types.ts';
import { eventControlErrors } from './errors.ts';

/** Publishes events in the name of a resource that the jar does not implement, for example a storage account. */

const MOST_EVENTS = 5000;
const LONGEST_NAME = 500;

const Text = Type.Optional(Type.String({ maxLength: LONGEST_NAME }));

/** A native event or a CloudEvent; missing members are filled in. */
const Event = Type.Object({
  id: Text,
  eventType: Text,
  type: Text,
  subject: Type.Optional(Type.String()),
  eventTime: Text,
  time: Text,
  data: Type.Optional(Type.Unknown()),
  dataVersion: Text,
  specversion: Text,
});

interface InjectedEvent {
  readonly id?: string;
  readonly eventType?: string;
  readonly type?: string;
  readonly subject?: string;
  readonly eventTime?: string;
  readonly time?: string;
  readonly data?: unknown;
  readonly dataVersion?: string;
}

export const injectEvents = routeCode([], {
  body: Type.Object({
    source: Type.String({ minLength: 1, description: 'The id of the resource, group or subscription that sends them' }),
    events: Type.Array(Event, { minItems: 1, maxItems: MOST_EVENTS }),
  }),
  responses: {
    200: Type.Object({
      source: Type.String(),
      events: Type.Array(
        Type.Object({ id: Type.String(), type: Type.String(), matched: Type.Integer(), refused: Type.Integer() }),
      ),
      matched: Type.Integer(),
    }),
  },
  async handle({ jar, body }) {
    const key = sourceKeyOf(jar, body.source);
    const allowed = eventTypesOf(key);
    const { store, clock } = jar;
    return store.transact(async (tx) => {
      const { subscriptionId = '' } = parseScope(key);
      if (!(await tx.get(subscriptions, subscriptionId, 'none')))
        throw eventControlErrors.NoSuchSource({ source: body.source }, { target: 'source' });
      const topic = (await tx.get(resources, key, 'none'))?.value.id ?? canonicalId(jar, body.source);
      const now = new Date(clock.now()).toISOString();
      const events = body.events.map((each, index) => eventOf(jar, each, { index, topic, now, allowed }));
      const publications: Publication[] = [];
      for (const event of events) publications.push({ event, scopes: await scopesOfSource(tx, key, event.type) });
      const counts = await acceptCounted(tx, jar, publications);
      const answers = events.map(({ id, type }, index) => ({ id, type, matched: 0, refused: 0, ...counts[index] }));
      return ok({ source: topic, events: answers, matched: answers.reduce((sum, { matched }) => sum + matched, 0) });
    });
  },
});

/**
 * Event types that a source can send, by their names in lower case. Returns undefined if the types of the source are unknown. Throws for
 * topics, domains and system topics, which take events from publishers.
 */
function eventTypesOf(key: string): ReadonlyMap<string, string> | undefined {
  if (/\/providers\/vendor\.eventgrid\/(?:topics|domains|systemtopics)\//.test(key))
    throw eventControlErrors.NotASource({ source: key }, { target: 'source' });
  const types = TOPIC_TYPE_TABLE.filter((type) => isSourceOf(type, key)).flatMap(({ eventTypes }) => eventTypes);
  return types.length === 0 ? undefined : new Map(types.map(({ name }) => [name.toLowerCase(), name]));
}

const canonicalId = ({ config }: EventsJar, source: string): string =>
  sourceIdOf(source).replace(
    /(\/providers\/)([^/]+)/gi,
    (_, before: string, namespace: string) => before + canonicalNamespace(namespace, config.namespace),
  );

interface Setting {
  readonly index: number;
  readonly topic: string;
  readonly now: string;
  readonly allowed: ReadonlyMap<string, string> | undefined;
}

/** Converts both forms to the native schema; each subscription gets the event in its own delivery schema. */
function eventOf(jar: EventsJar, sent: InjectedEvent, { index, topic, now, allowed }: Setting): GridEvent {
  const target = `events[${index}]`;
  const given = canonicalNamespace(sent.eventType ?? sent.type ?? '', jar.config.namespace);
  if (given === '')
    throw eventControlErrors.InvalidEvent({ index, reason: "it has neither 'eventType' nor 'type'" }, { target });
  const type = allowed ? allowed.get(given.toLowerCase()) : given;
  if (type === undefined) {
    const reason = `its source does not send '${given}'; it sends ${[...(allowed ?? []).values()].join(', ')}`;
    throw eventControlErrors.InvalidEvent({ index, reason }, { target: `${target}.type` });
  }
  const time = sent.eventTime ?? sent.time ?? now;
  if (Number.isNaN(readTime(time)))
    throw eventControlErrors.InvalidEvent({ index, reason: `'${time}' is no time` }, { target });
  return {
    schema: 'EventGridSchema',
    id: sent.id ?? uuid(),
    type,
    subject: sent.subject ?? topic,
    time,
    dataVersion: sent.dataVersion ?? '',
    topic,
    // The value was parsed from JSON.
    ...(sent.data !== undefined && { data: sent.data as Json }),
  };
}
