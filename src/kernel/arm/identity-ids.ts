import { createHash } from 'node:crypto';
import { resourceKey } from './ids.ts';
import type { ArmJar } from './jar.ts';

export interface IdentityIds {
  readonly principalId: string;
  readonly clientId: string;
}

/** Ids of a user-assigned identity; stable within a jar. */
export function identityIds(jar: Pick<ArmJar, 'id' | 'config'>, id: string): IdentityIds {
  const key = resourceKey(id, jar.config.namespace);
  return { principalId: guidOf(jar.id, 'principal', key), clientId: guidOf(jar.id, 'client', key) };
}

/** A GUID that is derived from the parts. */
export function guidOf(...parts: readonly string[]): string {
  const hex = createHash('sha256').update(parts.join('\n')).digest('hex');
  const variant = ((Number.parseInt(hex[16] as string, 16) & 3) | 8).toString(16);
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, variant + hex.slice(17, 20)];
  return [...groups, hex.slice(20, 32)].join('-');
}
