/** The message never contains the text itself, because it contains secrets. */
export class BadConnectionString extends Error {}

/** Parses `Name=value;Name=value`; names become lower case. Values may contain `=`, as base64 does. */
export function connectionStringParts(text: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  for (const part of text.split(';')) {
    if (part.trim() === '') continue;
    const equals = part.indexOf('=');
    if (equals < 1) throw new BadConnectionString('is not of the form Name=value;Name=value');
    parts.set(part.slice(0, equals).trim().toLowerCase(), part.slice(equals + 1).trim());
  }
  if (parts.size === 0) throw new BadConnectionString('is empty');
  return parts;
}
