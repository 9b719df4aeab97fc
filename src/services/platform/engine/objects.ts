import { collection, number, set, text } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { type AclEntry, readersOf } from '../permissions/acl.ts';

/** An object of any of the kinds that are declared as data. The key is `objectKey`. */
export interface PlatformObject {
  /** The name of its kind. */
  readonly kind: string;
  /** The id of its workspace or account. */
  readonly scope: string;
  readonly id: string;
  /** The id of the object that it belongs to. */
  readonly parent?: string;
  readonly name?: string;
  /** The folder of the workspace in which it is, where its kind has folders. */
  readonly folder?: string;
  /** Differs after each write, where its kind has etags. */
  readonly etag?: string;
  /** Whom it was handed over to; its creator owns it unless given. */
  readonly owner?: string;
  /** Principals. */
  readonly createdBy: string;
  readonly updatedBy: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly acl?: readonly AclEntry[];
  /** In the trash since. */
  readonly trashedAt?: number;
  /** As the kind declares them. */
  readonly fields: JsonMembers;
  /** What the code beside the kind keeps with it; not on the wire unless `view` puts it there. */
  readonly extra?: JsonMembers;
}

/** In which list an object is. */
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
      'They are gone, and nothing is sent to these destinations until they are updated; mail addresses came along',
    name: ({ id, name = id }) => name,
    // They are sealed, and no other kind of object has any.
    remove: (object) => object,
  },
});

export const objectKey = (scope: string, kind: string, id: string): string => `${placeOf(scope, kind)}/${id}`;
