import type { EventRecord, GroupStatus } from '../../../kernel/engines/index.ts';
import type { Logger } from '../../../kernel/telemetry/index.ts';
import type { Runtime } from '../collections.ts';

/** Logs the changes of a group: changed states, and every warning when it first occurs. */
export function logChanges(log: Logger, before: Runtime, after: Runtime): void {
  const { resourceId: group, provisioningState, state } = after;
  const known = new Set(warningsOf(before.status).map(({ about, event }) => identify(about, event)));
  for (const { about, event } of warningsOf(after.status)) {
    if (known.has(identify(about, event))) continue;
    log.warn({ group, ...(about && { container: about }) }, `container group: ${event.name}: ${event.message}`);
  }
  if (before.provisioningState === provisioningState && before.state === state) return;
  log.info({ group, provisioningState, state }, `container group ${provisioningState}, ${state}`);
}

interface Warning {
  /** The container that the event is about, if any. */
  readonly about: string | undefined;
  readonly event: EventRecord;
}

function warningsOf({ events, init, containers }: GroupStatus): Warning[] {
  const all = [
    ...events.map((event) => ({ about: undefined, event })),
    ...[...init, ...containers].flatMap(({ name, events: own }) => own.map((event) => ({ about: name, event }))),
  ];
  return all.filter(({ event }) => event.type === 'Warning');
}

const identify = (about: string | undefined, { name, message }: EventRecord): string =>
  `${about ?? ''}/${name}/${message}`;
