import { allOf, eq, type Tx } from '../../../kernel/store/index.ts';
import type { GridEvent, Publication } from '../event.ts';
import type { EventsJar } from '../jar.ts';
import { compileFilter } from '../matching/compile.ts';
import { normalFilter } from '../matching/validate.ts';
import { publishErrors } from '../publish/errors.ts';
import { Mistakes, quote } from '../publish/mistakes.ts';
import type { Plan } from '../publish/plan.ts';
import { fieldAt, type Reading } from '../publish/reading.ts';
import { type Channel, channels, targetKey } from './collections.ts';

/** Routes a partner's events to the partner topics of its channels: all events of a request, or none. */
export async function throughChannels(
  tx: Tx,
  jar: EventsJar,
  plan: Plan,
  { events }: Reading,
  named: string | undefined,
): Promise<Publication[]> {
  const channelOf =
    plan.routing === 'ChannelNameHeader' ? await byHeader(tx, plan, named) : await bySource(tx, plan, events);
  return events.flatMap((event) => {
    const channel = channelOf(event);
    return channel && passes(jar, channel, event) ? [publicationOf(event, channel)] : [];
  });
}

type Routes = (event: GridEvent) => Channel | undefined;

async function byHeader(tx: Tx, { key }: Plan, named: string | undefined): Promise<Routes> {
  const name = named?.trim() ?? '';
  if (name === '') {
    const reason =
      "The partner namespace routes events by the header 'aeg-channel-name', which the request does not have. Nothing was published.";
    throw publishErrors.BadRequest({ reason });
  }
  const found =
    (await tx.get(channels, `${key}/channels/${name}`.toLowerCase(), 'share')) ??
    (await tx.get(channels, `${key}/eventchannels/${name}`.toLowerCase(), 'share'));
  if (found?.value.source === undefined) throw publishErrors.ChannelNotFound({ name: quote(name) });
  const channel = found.value;
  checkReady(channel);
  return () => channel;
}

const sourceOf = ({ original }: GridEvent): string => String(original?.source);

/** Each source belongs to one channel. */
async function bySource(tx: Tx, plan: Plan, events: readonly GridEvent[]): Promise<Routes> {
  const bySource = new Map<string, Channel>();
  for (const source of [...new Set(events.map(sourceOf))].sort()) {
    const filter = allOf(eq('namespace', plan.key), eq('source', source));
    const [match] = (await tx.query(channels, { filter, limit: 1 })).items;
    // Shared lock: a change of the channel waits for the events that are routed through it.
    const channel = match && (await tx.get(channels, match.key, 'share'))?.value;
    if (channel) bySource.set(source, channel);
  }
  const mistakes = new Mistakes(plan.schema);
  const isSingle = events.length === 1;
  for (const [index, event] of events.entries()) {
    if (bySource.has(sourceOf(event))) continue;
    const field = fieldAt(isSingle ? '' : `[${index}]`, 'source');
    mistakes.add(
      field,
      `must be the source of a channel of the partner namespace, and '${quote(sourceOf(event))}' is none`,
    );
  }
  mistakes.refuse();
  for (const channel of bySource.values()) checkReady(channel);
  return (event) => bySource.get(sourceOf(event));
}

const STATES = {
  NeverActivated: 'not activated yet',
  Deactivated: 'deactivated',
  Deleted: 'deleted',
} as const;

function checkReady({ name, readiness }: Channel): void {
  if (readiness !== 'Activated') throw publishErrors.PartnerTopicNotActivated({ name, state: STATES[readiness] });
}

/** Event channels may filter their events. */
const passes = ({ scopeIndexes }: EventsJar, { filter }: Channel, event: GridEvent): boolean =>
  !filter?.advancedFilters || compileFilter(normalFilter(filter), scopeIndexes.spelling).refusal(event) === undefined;

const publicationOf = (event: GridEvent, channel: Channel): Publication => ({
  event: { ...event, topic: channel.target.id },
  scopes: [targetKey(channel)],
});
