import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { userOf } from '../access/access.ts';
import { users } from '../collections.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { recordChange } from './changes.ts';
import { LONGEST_DISPLAY_NAME } from './names.ts';
import { UserView, userView } from './views.ts';

export const getUser = routeCode([], {
  responses: { 200: UserView },
  handle: (call) => ok(userView(userOf(call))),
});

export const updateUser = routeCode([], {
  body: Type.Object({
    display_name: Type.Optional(Type.String({ minLength: 1, maxLength: LONGEST_DISPLAY_NAME })),
  }),
  responses: { 200: UserView },
  async handle(call) {
    const { jar, body } = call;
    const { id } = userOf(call);
    const user = await jar.store.transact(async (tx) => {
      const before = (await tx.get(users, id))?.value;
      if (!before) throw errors.NotFound({ reason: 'The account no longer exists.' });
      const { display_name: displayName = before.displayName } = body;
      if (displayName === before.displayName) return before;
      await recordChange(tx, jar, 'write', `lifecycle/users/${id}`, { display_name: displayName });
      return (await tx.put(users, id, { ...before, displayName })).value;
    });
    return ok(userView(user));
  },
});

/** Experiment metadata that the real service's web pages request; a jar runs no experiments. */
export const getUserMetadata = routeCode([], {
  responses: { 200: Type.Object({ userId: Type.String(), metadata: Type.Object({}) }) },
  handle: (call) => ok({ userId: userOf(call).id, metadata: {} }),
});
