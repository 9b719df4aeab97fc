import { Type } from 'typebox';
import { hashPassword, type User, users } from '../kernel/auth/index.ts';
import { created, noContent, ok, type Route } from '../kernel/http/index.ts';
import { entityShape, listAnswer, listOf, listQuery } from '../kernel/odata/index.ts';
import { type Jar, route } from '../kernel/service/index.ts';
import { checkId, checkTenant, claimNames, directoryErrors } from './directory-rules.ts';

const Name = Type.String({ minLength: 1, maxLength: 200 });
const Attributes = Type.Record(Type.String(), Type.Union([Type.String(), Type.Boolean()]));

/** Bounded, because clients that sign in request a token from each of these tenants. */
const MOST_GUEST_TENANTS = 20;

const Body = Type.Object(
  {
    username: Name,
    alias: Type.Optional(Name),
    displayName: Type.Optional(Name),
    givenName: Type.Optional(Name),
    surname: Type.Optional(Name),
    tenantId: Type.Optional(Type.String()),
    guestOf: Type.Optional(Type.Array(Type.String(), { maxItems: MOST_GUEST_TENANTS })),
    password: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
    enabled: Type.Optional(Type.Boolean({ description: 'A disabled user cannot sign in; default true' })),
    attributes: Type.Optional(Attributes),
  },
  { additionalProperties: false },
);

const View = Type.Object({
  id: Type.String(),
  tenantId: Type.String(),
  alias: Type.String(),
  username: Type.String(),
  displayName: Type.String(),
  givenName: Type.Optional(Type.String()),
  surname: Type.Optional(Type.String()),
  guestOf: Type.Optional(Type.Array(Type.String())),
  enabled: Type.Boolean(),
  attributes: Attributes,
  hasPassword: Type.Boolean(),
});

const shape = entityShape({
  name: 'users',
  collection: users,
  properties: {
    id: { type: 'Edm.String', field: 'key', ignoreCase: true },
    tenantId: { type: 'Edm.String', ignoreCase: true },
    alias: { type: 'Edm.String', field: 'alias', ignoreCase: true },
    username: { type: 'Edm.String', field: 'username', ignoreCase: true },
    displayName: { type: 'Edm.String' },
    givenName: { type: 'Edm.String' },
    surname: { type: 'Edm.String' },
    enabled: { type: 'Edm.Boolean', read: ({ enabled }: User) => enabled !== false },
    hasPassword: { type: 'Edm.Boolean', read: ({ passwordHash }: User) => passwordHash !== undefined },
  },
  scan: 'bounded',
});

export const userRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/_jar/users',
    operation: 'Jar_ListUsers',
    summary: 'The users who can sign in',
    query: listQuery(shape),
    responses: { 200: listOf(View) },
    handle: (call) => listAnswer(call, { shape, view: ({ value }) => view(value) }),
  }),
  route({
    method: 'GET',
    path: '/_jar/users/{id}',
    operation: 'Jar_GetUser',
    summary: 'One user, by object id, alias or sign-in name',
    responses: { 200: View },
    handle: async ({ jar, params }) => ok(view(await find(jar, params.id))),
  }),
  route({
    method: 'PUT',
    path: '/_jar/users/{id}',
    operation: 'Jar_PutUser',
    summary: 'Registers or replaces a user; a missing password keeps its old value',
    body: Body,
    responses: { 200: View, 201: View },
    async handle({ jar, params, body }) {
      const id = checkId(params.id);
      const {
        password,
        username,
        alias = username,
        displayName = username,
        attributes = {},
        givenName,
        surname,
        guestOf = [],
        enabled = true,
      } = body;
      const newHash = password === undefined ? undefined : await hashPassword(password);
      const { before, after } = await jar.store.transact(async (tx) => {
        await claimNames(tx, id, [alias, username]);
        const stored = (await tx.get(users, id))?.value;
        const passwordHash = newHash ?? stored?.passwordHash;
        const tenantId = await checkTenant(tx, body.tenantId);
        const guest = new Set<string>();
        for (const each of guestOf) guest.add(await checkTenant(tx, each, 'guestOf'));
        guest.delete(tenantId);
        const user: User = {
          id,
          tenantId,
          alias,
          username,
          displayName,
          ...(givenName !== undefined && { givenName }),
          ...(surname !== undefined && { surname }),
          ...(guest.size > 0 && { guestOf: [...guest] }),
          ...(passwordHash !== undefined && { passwordHash }),
          ...(!enabled && { enabled }),
          attributes,
        };
        return { before: stored, after: (await tx.put(users, id, user)).value };
      });
      return before ? ok(view(after)) : created(view(after));
    },
  }),
  route({
    method: 'DELETE',
    path: '/_jar/users/{id}',
    operation: 'Jar_DeleteUser',
    summary: 'Removes a user, who is signed out everywhere',
    responses: { 204: 'Removed' },
    async handle({ jar, params }) {
      const { id } = await find(jar, params.id);
      await jar.store.transact((tx) => tx.delete(users, id.toLowerCase()));
      return noContent();
    },
  }),
];

async function find(jar: Jar, name: string): Promise<User> {
  const found = await jar.directory.findUser(name);
  if (!found) throw directoryErrors.NoSuchUser({ name });
  return found;
}

const view = ({ passwordHash, enabled, ...shown }: User): object => ({
  ...shown,
  enabled: enabled !== false,
  hasPassword: passwordHash !== undefined,
});
