/** A reason in words that never hold the text itself: there are secrets in it. */
export class BadConnectionString extends Error {}

/** `Name=value;Name=value`, by names in lower case. Values may have `=` in them, as base64 does. */
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
