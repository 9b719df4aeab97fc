import { Type } from 'typebox';
import type { KeptLog } from '../exports/collections.ts';
import { underscored } from '../underscored.ts';
import { propertiesOf } from './event-log.ts';

/** How single logs are shown, out of the journal that exports are made from. */

/** In one answer. */
export const MOST_SHOWN = 100;
/** Entries of the journal that are read together: what one request brought may be large. */
export const ENTRIES_AT_ONCE = 10;

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

/** Of a log that `isShown`. */
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

/** Clients rely on some being there. */
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
