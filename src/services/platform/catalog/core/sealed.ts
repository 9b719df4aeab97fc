import type { Vault } from '../../../../kernel/auth/index.ts';
import { isObject, type Json, type JsonMembers } from '../../../../kernel/values/index.ts';

/** Secrets of securables: stored in `extra.secrets` by name, sealed by the jar's vault, and never on the wire. */

export const sealedIn = ({ extra }: { readonly extra?: JsonMembers }): JsonMembers =>
  isObject(extra?.secrets) ? extra.secrets : {};

export const sealAll = (vault: Vault, secrets: Readonly<Record<string, string>>): Readonly<Record<string, Json>> =>
  Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, vault.seal(value)]));
