import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { appOf } from '../access/access.ts';
import { findUsers } from '../accounts/find-people.ts';
import { UserView, userView } from '../accounts/views.ts';
import { testersOfApp } from '../distribution/testers.ts';
import { routeCode } from '../jar.ts';

/** Testers of the app's distribution groups who have an account. */
export const listTesters = routeCode([], {
  responses: { 200: Type.Array(UserView) },
  async handle(call) {
    const { store } = call.jar;
    const testers = await findUsers(store, await testersOfApp(store, appOf(call).id));
    return ok(testers.map((user) => userView(user, ['tester'])));
  },
});
