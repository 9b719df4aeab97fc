import { Type } from 'typebox';
import { created, ok } from '../../../kernel/http/index.ts';
import { entityShape, listAnswer, listOf, listQuery } from '../../../kernel/odata/index.ts';
import { userByName } from '../accounts/find-people.ts';
import { makeUser } from '../accounts/make.ts';
import { type User, users } from '../collections.ts';
import { routeCode } from '../jar.ts';
import { makeToken } from '../tokens/manage.ts';
import { NewTokenView, readScope, TokenBody, tokenView } from '../tokens/shape.ts';
import { controlErrors } from './errors.ts';

const UserView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  display_name: Type.String(),
  created_at: Type.String(),
});

const view = ({ id, name, email, displayName, createdAt }: User) => ({
  id,
  name,
  email,
  display_name: displayName,
  created_at: createdAt,
});

const Text = { type: 'Edm.String' } as const;

const shape = entityShape({
  name: 'accounts',
  collection: users,
  properties: {
    id: { ...Text, field: 'key' },
    name: { ...Text, field: 'name', ignoreCase: true },
    email: { ...Text, field: 'email', ignoreCase: true },
    display_name: { ...Text, read: ({ displayName }: User) => displayName },
    created_at: { type: 'Edm.DateTimeOffset', read: ({ createdAt }: User) => createdAt },
  },
  scan: 'bounded',
});

export const listUsers = routeCode([], {
  query: listQuery(shape),
  responses: { 200: listOf(UserView) },
  handle: (call) => listAnswer(call, { shape, order: [{ field: 'name' }], view: ({ value }) => view(value) }),
});

export const putUser = routeCode(['name'], {
  body: Type.Object(
    { email: Type.Optional(Type.String()), display_name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })) },
    { additionalProperties: false },
  ),
  bodyOptional: true,
  responses: { 200: UserView, 201: UserView },
  async handle({ jar, params: { name }, body = {} }) {
    const createdAt = new Date(jar.clock.now()).toISOString();
    const { user, isNew } = await jar.store.transact(async (tx) => {
      // Of several concurrent sign-ups of the same person, one creates the account and the others find it.
      await tx.lock(users.name);
      const before = await userByName(tx, name);
      if (!before) {
        const { email = `${name}@vendor.example`, display_name: displayName = name } = body;
        return { user: await makeUser(tx, { name, email, displayName }, createdAt), isNew: true };
      }
      if (body.email !== undefined && body.email.toLowerCase() !== before.email.toLowerCase()) {
        throw controlErrors.EmailFixed({ name: before.name, email: before.email });
      }
      const displayName = body.display_name ?? before.displayName;
      return { user: (await tx.put(users, before.id, { ...before, displayName })).value, isNew: false };
    });
    return isNew ? created(view(user)) : ok(view(user));
  },
});

export const createToken = routeCode(['name'], {
  body: TokenBody,
  bodyOptional: true,
  responses: { 201: NewTokenView },
  async handle({ jar, params: { name }, body = {} }) {
    const user = await userByName(jar.store, name);
    if (!user) throw controlErrors.NoSuchUser({ name: name.slice(0, 100) });
    const wanted = { userId: user.id, scope: readScope(body.scope), description: body.description };
    const { token, secret } = await makeToken(jar, wanted);
    return created({ ...tokenView(token), api_token: secret });
  },
});
