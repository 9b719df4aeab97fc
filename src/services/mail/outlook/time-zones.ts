import { type Answer, ok } from '../../../kernel/http/index.ts';
import type { MailCall } from '../api/request.ts';
import { baseOf } from '../api/show.ts';
import { errors } from '../errors.ts';
import { ianaZones, WINDOWS_ZONES } from '../zones/names.ts';

/**
 * `outlook/supportedTimeZones`, and `supportedTimeZones(TimeZoneStandard=microsoft.graph.timeZoneStandard'Iana')` for IANA names. Some
 * clients double the quotes, so that the argument is parsed as a key.
 */
export function listTimeZones(call: MailCall): Answer {
  const { timezonestandard, standard } = call.params;
  const written = timezonestandard ?? /^\s*TimeZoneStandard\s*=\s*(.*)$/i.exec(standard ?? '')?.[1];
  if (written === undefined && standard !== undefined) throw unknown(standard);
  return ok({
    '@odata.context': `${baseOf(call)}/$metadata#Collection(microsoft.graph.timeZoneInformation)`,
    value: isIana(written) ? ianaNames() : windowsNames(),
  });
}

function isIana(written = 'windows'): boolean {
  const name = written
    .replace(/^[\w.]*?timeZoneStandard(?=')/i, '')
    .replaceAll("'", '')
    .toLowerCase();
  if (name !== 'windows' && name !== 'iana') throw unknown(written);
  return name === 'iana';
}

const unknown = (written: string): Error =>
  errors.ErrorInvalidParameter(
    { reason: `The time zone standard '${written.slice(0, 60)}' is not supported; use Windows or Iana.` },
    { target: 'TimeZoneStandard' },
  );

const windowsNames = () => WINDOWS_ZONES.map(({ name, displayName }) => ({ alias: name, displayName }));
const ianaNames = () => ianaZones().map((name) => ({ alias: name, displayName: name }));
