import { type Caller, type User, users } from '../../../kernel/auth/index.ts';
import type { Answer } from '../../../kernel/http/index.ts';
import {
  type EntityShape,
  entityShape,
  type ODataSet,
  odataEntity,
  type PropertyShape,
  refusing,
} from '../../../kernel/odata/index.ts';
import { checkNeed } from '../access/authenticate.ts';
import { NEEDS } from '../access/scopes.ts';
import type { RequestHead } from '../api/request.ts';
import { baseOf, codeOf } from '../api/show.ts';
import { errors } from '../errors.ts';
import type { MailJar } from '../jar.ts';
import { directoryPage, ownTenant } from '../outlook/users.ts';
import { isRoom } from './room.ts';

/** `places/microsoft.graph.room`: the rooms of a tenant. They do not belong to a mailbox, so they are not in the table of operations. */

const shown: PropertyShape = { type: 'Edm.String', filterable: false, orderable: false };
const fromAttribute = (name: string): PropertyShape => ({
  type: 'Edm.String',
  orderable: false,
  read: ({ attributes }: User) => attributes[name] ?? null,
});

const capacityOf = ({ attributes }: User): number | null => {
  const capacity = Number.parseInt(String(attributes.capacity ?? ''), 10);
  return Number.isSafeInteger(capacity) ? capacity : null;
};

/** String properties of a room that user attributes can set. */
const TEXTS = ['building', 'floorLabel', 'label', 'nickname', 'phone'] as const;
const DEVICES = ['audioDeviceName', 'videoDeviceName', 'displayDeviceName'] as const;

const shape: EntityShape<User> = entityShape<User>({
  name: 'room',
  collection: users,
  properties: {
    id: { type: 'Edm.String', field: 'key', ignoreCase: true },
    displayName: { type: 'Edm.String' },
    emailAddress: { type: 'Edm.String', field: 'username', ignoreCase: true },
    capacity: { type: 'Edm.Int32', orderable: false, read: capacityOf },
    tenantId: { type: 'Edm.String' },
    isRoom: { type: 'Edm.Boolean', orderable: false, read: isRoom },
    ...Object.fromEntries([...TEXTS, ...DEVICES].map((name) => [name, fromAttribute(name)])),
    ...Object.fromEntries(
      ['address', 'geoCoordinates', 'floorNumber', 'isWheelChairAccessible', 'bookingType', 'tags'].map((name) => [
        name,
        shown,
      ]),
    ),
  },
  scan: 'bounded',
});

const textsOf = ({ attributes }: User, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, typeof attributes[name] === 'string' ? attributes[name] : null]));

const roomView = (user: User): Record<string, unknown> => ({
  id: user.id,
  displayName: user.displayName,
  emailAddress: user.username,
  address: null,
  geoCoordinates: null,
  ...textsOf(user, TEXTS),
  capacity: capacityOf(user),
  floorNumber: null,
  isWheelChairAccessible: null,
  bookingType: 'standard',
  tags: [],
  ...textsOf(user, DEVICES),
});

const roomSet = (head: RequestHead): ODataSet<User> => ({
  shape,
  name: 'places/microsoft.graph.room',
  base: baseOf(head),
  order: [{ field: 'username' }],
  view: ({ value }) => ({ ...roomView(value) }),
  codeOf,
});

const ROOMS = " Rooms are at 'places/microsoft.graph.room'.";
const LIST = /^places\/(?:microsoft|vendor)\.graph\.room\/?$/i;
/** The key is an id or an address, as a segment or in parentheses, optionally followed by the type. */
const ONE = /^places(?:\/([^/()]+)|\((?:'|%27)([^/()]+?)(?:'|%27)\))(?:\/(?:microsoft|vendor)\.graph\.room)?\/?$/i;

export const isPlaces = ({ path }: Pick<RequestHead, 'path'>): boolean => /^places(?:[/(]|$)/i.test(path);

export async function performPlaces(jar: MailJar, caller: Caller, head: RequestHead): Promise<Answer> {
  checkNeed(caller, NEEDS.placesRead);
  if (head.method !== 'GET' && head.method !== 'HEAD')
    throw errors.MethodNotAllowed(
      { method: head.method, path: head.path.slice(0, 200), allowed: 'GET' },
      { headers: { allow: 'GET' } },
    );
  if (LIST.test(head.path)) return directoryPage(jar, head, roomSet(head), `${ownTenant(caller)} and isRoom eq true`);
  const match = ONE.exec(head.path);
  const key = decoded(match?.[1] ?? match?.[2] ?? '');
  if (!match || /^(?:microsoft|vendor)\.graph\./i.test(key))
    throw errors.BadRequest__Path({ segment: head.path.split('/').at(-1)?.slice(0, 100) ?? '', hint: ROOMS });
  return getRoom(jar, caller, head, key);
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return '';
  }
}

async function getRoom(jar: MailJar, caller: Caller, head: RequestHead, key: string): Promise<Answer> {
  const value = await jar.directory.findUser(key);
  if (!value || value.tenantId.toLowerCase() !== caller.tenantId.toLowerCase() || !isRoom(value))
    throw errors.ErrorItemNotFound();
  const path = `/${head.version}/${head.path}`;
  const call = { ...head, jar, path, url: path, query: head.query };
  return refusing(() => odataEntity(call, roomSet(head), { key: value.id, etag: '', value }), codeOf);
}
