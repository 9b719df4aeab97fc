import { isList, isObject, type Json, type JsonMembers } from '../../../kernel/values/index.ts';

/** Write-only members of real providers. Nothing in a jar uses them, so they are not stored at all. */
const SECRETS: ReadonlySet<string> = new Set(
  [
    'adminPassword',
    'administratorLoginPassword',
    'clientSecret',
    'connectionString',
    'customData',
    'password',
    'primaryKey',
    'protectedSettings',
    'secondaryKey',
    'secret',
    'sharedKey',
  ].map((name) => name.toLowerCase()),
);

/** The body without secrets. Its depth was limited when it was parsed. */
export function withoutSecrets(value: Json): Json {
  if (isList(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !SECRETS.has(name.toLowerCase()));
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutSecrets(member as Json)]));
}

/** Applies a merge patch (RFC 7396): objects are merged, null removes, everything else replaces. */
export function merged(before: Json | undefined, change: Json): Json {
  if (!isObject(change)) return change;
  const known = isObject(before) ? before : {};
  const after = new Map<string, Json>(Object.entries(known) as [string, Json][]);
  for (const [name, member] of Object.entries(change) as [string, Json][]) {
    if (member === null) after.delete(name);
    else after.set(name, merged(after.get(name), member));
  }
  return Object.fromEntries(after);
}

export const membersOf = (value: unknown): JsonMembers => (isObject(value) ? (value as JsonMembers) : {});
