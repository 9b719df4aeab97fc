import type { Call } from '../../kernel/service/index.ts';
import { errors } from './errors.ts';
import type { TranslatorCall } from './jar.ts';
import { queryParameter } from './query.ts';

/** Steps of the family that validate what every request must contain. */

const VERSION = '3.0';
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LONGEST_SHOWN = 100;

/** The client's name for its request, from the header, otherwise from the query; not necessarily a GUID. */
const sentTraceId = (call: Call): string | undefined => {
  const header = call.headers['x-clienttraceid'];
  return header === undefined ? queryParameter(call, 'ClientTraceId') : String(header).trim();
};

/** Returns undefined unless the id is a GUID, which is safe to show. */
export function clientTraceId(call: Call): string | undefined {
  const sent = sentTraceId(call);
  return sent !== undefined && GUID.test(sent) ? sent : undefined;
}

/** For the log: called first of all, and again with every error, because some requests are refused before the steps of this API run. */
export function noteTraceId(call: Call): void {
  const id = clientTraceId(call);
  if (id !== undefined) call.logged = { ...call.logged, clientTraceId: id };
}

const isVersioned = ({ route }: Pick<TranslatorCall, 'route'>): boolean => route.traits?.unversioned !== true;

export function checkVersion(call: TranslatorCall): void {
  if (!isVersioned(call)) return;
  const version = queryParameter(call, 'api-version');
  if (version === VERSION) return;
  const reason = version === undefined ? 'is missing' : `is '${version.slice(0, LONGEST_SHOWN)}'`;
  throw errors.InvalidVersion({ reason }, { target: 'api-version' });
}

export function checkTraceId(call: TranslatorCall): void {
  if (!isVersioned(call)) return;
  const id = sentTraceId(call);
  if (id !== undefined && !GUID.test(id)) throw errors.InvalidTraceId({ id: id.slice(0, LONGEST_SHOWN) });
}
