import { createHash } from 'node:crypto';

export interface Authorization {
  readonly applicationId: string;
  readonly roleDefinitionId: string;
}

/**
 * The application with which a provider acts in subscriptions, and its role there. Derived from the namespace, so it is the same in all
 * jars.
 */
export const authorizationOf = (namespace: string): Authorization => ({
  applicationId: idFrom(`application of ${namespace}`),
  roleDefinitionId: idFrom(`role of ${namespace}`),
});

/** An id in the format of UUID version 4, derived from a text. */
function idFrom(text: string): string {
  const hex = createHash('sha256').update(text.toLowerCase()).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
