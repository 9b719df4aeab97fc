import { CURL, quoted } from '../../shared/format/shell.ts';
import type { ReceivedRequest } from './api.ts';

/** Headers that curl or the connection set themselves. */
const OWN = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding', 'user-agent']);
const REDACTED = '[redacted]';

const listOf = (value: string | readonly string[]): readonly string[] => (typeof value === 'string' ? [value] : value);

/** The request once more. Secrets are not kept in clear text, so they are left out. */
export function curlOf({ method, path, query, headers, body, bodyEncoding }: ReceivedRequest): string {
  const params = new URLSearchParams();
  for (const [name, values] of Object.entries(query))
    for (const value of listOf(values)) if (value !== REDACTED) params.append(name, value);
  const search = params.size > 0 ? `?${params}` : '';
  const lines = [`${CURL} -X ${method} ${quoted(location.origin + path + search)}`];
  for (const [name, values] of Object.entries(headers))
    for (const value of listOf(values))
      if (!OWN.has(name.toLowerCase()) && value !== REDACTED) lines.push(`  -H ${quoted(`${name}: ${value}`)}`);
  if (body !== '' && bodyEncoding === 'utf8') lines.push(`  --data-binary ${quoted(body)}`);
  return lines.join(' \\\n');
}
