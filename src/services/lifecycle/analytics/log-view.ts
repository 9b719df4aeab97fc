import { Type } from 'typebox';
import type { KeptLog } from '../exports/collections.ts';
import { underscored } from '../underscored.ts';
import { propertiesOf } from './event-log.ts';

/** Views of single logs, read from the export journal. */

/** Maximum number of logs per response. */
export const MOST_SHOWN = 100;
/** Journal entries read at once; an entry can be as large as a request. */
export const ENTRIES_AT_ONCE = 10;

/** SDK log types and their names in the API. */
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

export const isShown = ({ type }: KeptLog): boolean => TYPES[type] !== undefined;

export const ShownLogs = Type.Object({
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

/** For logs that pass `isShown`. */
export function logView(log: KeptLog, installId: string) {
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

/** Some properties are always present, because clients rely on them. */
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
    if (typeof value === 'string' || typeof value === 'number') view[underscored(name)] = value;
  }
  return view;
}
