import { createHash } from 'node:crypto';

export interface Authorization {
  readonly applicationId: string;
  readonly roleDefinitionId: string;
}

/** The application by which a provider acts in the subscriptions of others, and its role there. Every namespace has its own, the same in all jars. */
export const authorizationOf = (namespace: string): Authorization => ({
  applicationId: idFrom(`application of ${namespace}`),
  roleDefinitionId: idFrom(`role of ${namespace}`),
});

/** A version 4 id in its form, made of a text. */
function idFrom(text: string): string {
  const hex = createHash('sha256').update(text.toLowerCase()).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
