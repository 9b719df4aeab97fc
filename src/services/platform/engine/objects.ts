import { collection, number, set, text } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { type AclEntry, readersOf } from '../permissions/acl.ts';

/** An object of a kind that is declared as data. The key is `objectKey`. */
export interface PlatformObject {
  /** The name of its kind. */
  readonly kind: string;
  /** The id of its workspace or account. */
  readonly scope: string;
  readonly id: string;
  /** The id of its parent. */
  readonly parent?: string;
  readonly name?: string;
  /** The workspace folder that contains it, if its kind has folders. */
  readonly folder?: string;
  /** Changes with each write, if its kind has etags. */
  readonly etag?: string;
  /** The owner after a transfer. Default: its creator. */
  readonly owner?: string;
  /** Ids of principals. */
  readonly createdBy: string;
  readonly updatedBy: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly acl?: readonly AclEntry[];
  /** When it was moved to the trash. */
  readonly trashedAt?: number;
  /** As declared by its kind. */
  readonly fields: JsonMembers;
  /** Data that the kind's own code stores with it; on the wire only if `view` adds it. */
  readonly extra?: JsonMembers;
}

/** The list that contains an object. */
export const placeOf = (scope: string, kind: string): string => `${scope}/${kind}`;

export const objects = collection<PlatformObject>('platform.objects', {
  fields: {
    place: text(({ scope, kind }) => placeOf(scope, kind)),
    under: text(({ scope, kind, parent }) => parent && `${placeOf(scope, kind)}/${parent}`),
    name: text((it) => it.name?.toLowerCase()),
    folder: text(({ scope, kind, folder }) => folder && `${placeOf(scope, kind)}/${folder.toLowerCase()}`),
    createdAt: number((it) => it.createdAt),
    trashedAt: number((it) => it.trashedAt),
    createdBy: text((it) => it.createdBy),
    readers: set(readersOf),
  },
  indexes: [
    ['place', 'createdAt'],
    ['place', 'name'],
    ['under', 'createdAt'],
    ['under', 'name'],
    ['folder', 'name'],
  ],
  secrets: {
    what: 'addresses and logins of notification destinations',
    afterwards:
      'They are removed, and nothing is sent to these destinations until they are updated; mail addresses are included',
    name: ({ id, name = id }) => name,
    // They are sealed, and no other kind of object has any.
    remove: (object) => object,
  },
});

export const objectKey = (scope: string, kind: string, id: string): string => `${placeOf(scope, kind)}/${id}`;
