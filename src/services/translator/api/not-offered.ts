import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';

export const notOffered = routeCode([], {
  responses: {},
  handle({ path }) {
    const operation = path.replace(/^\/translator\/text\/v3\.0/i, '');
    const reason = `this jar does not offer '${operation}'; it offers '/detect', '/breaksentence' and '/languages'`;
    throw errors.NotOffered({ reason });
  },
});
