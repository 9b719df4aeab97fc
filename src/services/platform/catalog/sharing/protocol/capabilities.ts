import type { PlatformCall } from '../../../jar.ts';
import { sharingErrors } from './errors.ts';

/** Capabilities of a client, from the header `delta-sharing-capabilities`, reduced to those used for the answer. */
export interface Capabilities {
  readonly format: 'parquet' | 'delta';
  readonly endStreamAction: boolean;
  /** The kind of file ids that the client requested; the value is echoed. */
  readonly fileIdHash: string | undefined;
}

const LONGEST = 2000;

export function capabilitiesOf({ headers }: Pick<PlatformCall, 'headers'>): Capabilities {
  const said = new Map<string, readonly string[]>();
  for (const part of String(headers['delta-sharing-capabilities'] ?? '')
    .slice(0, LONGEST)
    .toLowerCase()
    .split(';')) {
    const at = part.indexOf('=');
    if (at > 0)
      said.set(
        part.slice(0, at).trim(),
        part
          .slice(at + 1)
          .split(',')
          .map((each) => each.trim()),
      );
  }
  const formats = said.get('responseformat') ?? [];
  const fileIdHash = headers.fileidhash === undefined ? undefined : String(headers.fileidhash).toLowerCase();
  if (fileIdHash !== undefined && fileIdHash !== 'parquet' && fileIdHash !== 'delta')
    throw sharingErrors.INVALID_PARAMETER_VALUE({ reason: 'fileidhash must be parquet or delta.' });
  return {
    // Tables here use no feature that a Parquet reader lacks.
    format: formats.includes('delta') && !formats.includes('parquet') ? 'delta' : 'parquet',
    endStreamAction: said.get('includeendstreamaction')?.includes('true') ?? false,
    fileIdHash,
  };
}

/** Headers with the chosen capabilities. */
export const capabilityHeaders = ({ format, endStreamAction, fileIdHash }: Capabilities): Record<string, string> => ({
  'delta-sharing-capabilities': `responseformat=${format}${endStreamAction ? ';includeendstreamaction=true' : ''}`,
  ...(fileIdHash !== undefined && { fileidhash: fileIdHash }),
});
