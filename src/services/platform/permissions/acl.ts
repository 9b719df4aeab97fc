import type { PrincipalKind } from '../accounts/collections.ts';

/** A direct permission of a principal on an object. It is stored in the document of the object. */
export interface AclEntry {
  readonly kind: PrincipalKind;
  /** The id of a user, a service principal or a group. */
  readonly principal: string;
  readonly level: string;
}

/** For the set field `readers` of a collection of objects. */
export const readersOf = ({ acl = [] }: { readonly acl?: readonly AclEntry[] }): readonly string[] =>
  acl.map(({ principal }) => principal);
