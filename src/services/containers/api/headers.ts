import { type ArmCall, armFacts } from '../../../kernel/arm/index.ts';
import type { Answer, Route } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { isObject } from '../../../kernel/values/index.ts';

/** Headers and status of answers about one resource, applied to routes. */

type Handle = (call: ArmCall) => Promise<Answer> | Answer;

const answering = (route: Route, after: (answer: Answer, call: ArmCall) => Answer): Route => {
  const handle: Handle = route.handle;
  return { ...route, handle: async (call: ArmCall) => after(await handle(call), call) };
};

/** Adds `x-ms-operation-identifier`: caller, location of the resource, and an id. */
export function withIdentifier(route: Route): Route {
  // A list is not about one resource.
  if (!route.path.endsWith('}')) return route;
  return answering(route, (answer, call) => {
    const { caller, facts } = { caller: call.caller, facts: armFacts(call) };
    const region = isObject(answer.body) ? answer.body.location : facts.group?.location;
    const identifier = `tenantId=${caller?.tenantId ?? ''},objectId=${caller?.objectId ?? ''}/${region ?? ''}/${uuid()}`;
    return { ...answer, headers: { ...answer.headers, 'x-ms-operation-identifier': identifier } };
  });
}

/** The answer to a DELETE of a profile is empty. */
export const emptyAfterDelete = (route: Route): Route =>
  route.method === 'DELETE' ? answering(route, ({ body: _, ...answer }) => answer) : route;

/** A PUT of a standby pool answers 200 even if it creates the pool. */
export const alwaysOk = (route: Route): Route =>
  route.method === 'PUT'
    ? answering(route, (answer) => (answer.status === 201 ? { ...answer, status: 200 } : answer))
    : route;
