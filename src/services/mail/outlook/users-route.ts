import { headOf } from '../api/handle.ts';
import { errors } from '../errors.ts';
import { type MailHttpCall, routeCode } from '../jar.ts';
import { listUsers } from './users.ts';

export const usersRoute = routeCode([], {
  handle(call: MailHttpCall) {
    if (!call.caller) throw errors.ErrorAccessDenied();
    return listUsers(call.jar, call.caller, headOf(call));
  },
});
