import { Type } from 'typebox';
import { ok, routeCode } from '../../../kernel/http/route.ts';
import type { Jar } from '../../../kernel/jar-context.ts';
import type { Page, Position } from '../../../kernel/store/types.ts';
import { appOf } from '../access/access.ts';
import { errors } from '../errors.ts';
import { exportJournal, type JournalEntry, type KeptLog } from '../exports/collections.ts';
import { dayOf, startOfDay } from './days.ts';
import { propertiesOf } from './event-log.ts';
import { readTime } from './query.ts';

/** The logs of an app as they come in, read from the journal that exports are made from. */

const MOST_LOGS = 100;
/** Requests that are looked at together. */
const PAGE = 25;

/** What the API calls the types that SDKs send. */
const TYPES: Readonly<Record<string, string>> = {
  event: 'event',
  page: 'page',
  startSession: 'start_session',
  startService: 'start_service',
  customProperties: 'custom_properties',
  pushInstallation: 'push_installation',
  managedError: 'error',
  handledError: 'error',
  appleError: 'error',
};

const Flow = Type.Object({
  exceeded_max_limit: Type.Boolean(),
  last_received_log_timestamp: Type.Optional(Type.String()),
  logs: Type.Array(
    Type.Object({
      type: Type.String(),
      timestamp: Type.String(),
      install_id: Type.String(),
      session_id: Type.Optional(Type.String()),
      event_id: Type.Optional(Type.String()),
      event_name: Type.Optional(Type.String()),
      properties: Type.Optional(Type.Record(Type.String(), Type.String())),
      device: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
    }),
  ),
});

/** Both ways to ask for it give the same. */
export const logFlow = routeCode([], {
  query: Type.Object({ start: Type.Optional(Type.String()) }),
  responses: { 200: Flow },
  async handle(call) {
    const { jar, query } = call;
    const { entries, exceeds } = await newestEntries(jar, appOf(call).id, readStart(jar, query.start));
    const logs = entries.flatMap(({ installId, logs: kept }) => kept.map((log) => viewOf(log, installId)));
    const last = entries.at(-1)?.receivedAt;
    return ok({
      exceeded_max_limit: exceeds || logs.length > MOST_LOGS,
      ...(last !== undefined && { last_received_log_timestamp: new Date(last).toISOString() }),
      logs: logs.slice(-MOST_LOGS),
    });
  },
});

/** The first moment that counts. Who goes on from the last log that he got wants those behind it. */
function readStart({ clock }: Jar, start: string | undefined): number {
  const today = dayOf(clock.now());
  if (start === undefined) return startOfDay(today);
  const time = readTime('start', start);
  if (dayOf(time) !== today) {
    const reason = `The parameter 'start' must be within the current day of UTC, which is ${today}.`;
    throw errors.BadRequest({ reason }, { target: 'start' });
  }
  return time === startOfDay(today) ? time : time + 1;
}

/** Oldest first, as many as there is room for. */
async function newestEntries(
  { store }: Jar,
  appId: string,
  from: number,
): Promise<{ entries: readonly JournalEntry[]; exceeds: boolean }> {
  const entries: JournalEntry[] = [];
  let count = 0;
  for (let after: Position | undefined, more = true; more; ) {
    const order = [{ field: 'key', descending: true }];
    const page: Page<JournalEntry> = await store.query(exportJournal, {
      prefix: `${appId}/`,
      order,
      limit: PAGE,
      ...(after && { after }),
    });
    for (const { value } of page.items) {
      if (value.receivedAt < from) return { entries, exceeds: false };
      if (count >= MOST_LOGS) return { entries, exceeds: true };
      const logs = value.logs.filter(({ type }) => TYPES[type] !== undefined);
      if (logs.length > 0) entries.unshift({ ...value, logs });
      count += logs.length;
    }
    after = page.next;
    more = after !== undefined;
  }
  return { entries, exceeds: false };
}

function viewOf(log: KeptLog, installId: string) {
  const { type, at, sessionId, content } = log;
  const { id, name } = content;
  const properties = type === 'event' ? Object.fromEntries(propertiesOf(log)) : {};
  return {
    type: TYPES[type] as string,
    timestamp: new Date(at).toISOString(),
    install_id: installId,
    ...(sessionId !== undefined && { session_id: sessionId }),
    ...(type === 'event' && typeof id === 'string' && { event_id: id }),
    ...(type === 'event' && { event_name: String(name) }),
    ...(Object.keys(properties).length > 0 && { properties }),
    device: deviceView(log.device),
  };
}

/** `sdk_name` for `sdkName`. Clients rely on some being there. */
function deviceView(device: KeptLog['device']): Record<string, string | number> {
  const view: Record<string, string | number> = {
    sdk_name: '',
    sdk_version: '',
    os_name: '',
    os_version: '',
    locale: '',
    time_zone_offset: 0,
    app_version: '',
    app_build: '',
  };
  for (const [name, value] of Object.entries(device)) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    view[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] = value;
  }
  return view;
}
