import {
  allowedFromAbove,
  challenged,
  covers,
  MANAGEMENT_AUDIENCES,
  roleAssignments,
  subscriptions,
} from '../../../kernel/arm/index.ts';
import { ANY_AUDIENCE, type Caller, isOwnOrigin, normalAudience, TokenError } from '../../../kernel/auth/index.ts';
import { readCached } from '../../../kernel/store/index.ts';
import type { EventsCall } from '../jar.ts';
import { EVENT_AUDIENCES } from './audiences.ts';
import { publishErrors } from './errors.ts';
import type { Plan } from './plan.ts';

const ACCEPTED: ReadonlySet<string> = new Set([...EVENT_AUDIENCES, ...MANAGEMENT_AUDIENCES]);

/** Accepts a token of the topic's tenant whose caller has a role other than Reader there. */
export async function admitBearer(call: EventsCall, plan: Plan, endpoint: string, token: string): Promise<void> {
  const { store, tokens } = call.jar;
  const { resource } = plan;
  const subscription = (await readCached(store, subscriptions, resource.subscriptionId.toLowerCase()))?.value;
  const tenant = subscription?.tenantId ?? 'common';
  const refused = (reason: string): Error => challenged(call, publishErrors.Unauthorized({ endpoint, reason }), tenant);
  let caller: Caller;
  try {
    caller = tokens.recall(token) ?? (await tokens.verify(token));
  } catch (error) {
    if (error instanceof TokenError) throw refused(`the access token is not valid. ${error.message}`);
    throw error;
  }
  const { audience, name, objectId } = caller;
  call.caller = caller;
  const isForUs = audience === ANY_AUDIENCE || ACCEPTED.has(normalAudience(audience));
  if (!isForUs && !isOwnOrigin(audience, call.origin, call.jar)) {
    throw refused(`the access token is for the audience '${audience}', which is not this API.`);
  }
  if (caller.tenantId !== subscription?.tenantId) {
    throw refused(`the access token is for the tenant '${caller.tenantId}', but the topic belongs to another.`);
  }
  if (caller.kind === 'user' && !caller.scopes.includes('user_impersonation')) {
    throw publishErrors.Forbidden({ endpoint, reason: "the access token lacks the scope 'user_impersonation'." });
  }
  const held = (await readCached(store, roleAssignments, objectId.toLowerCase()))?.value.assignments ?? [];
  const { namespace } = call.jar.config;
  if (held.some(({ scope, role }) => role !== 'Reader' && covers(scope, plan.id, namespace))) return;
  if (await allowedFromAbove(store, held, subscription, 'write', namespace)) return;
  const reason = `the client '${name}' with object id '${objectId}' has no role there that lets it send events.`;
  throw publishErrors.Forbidden({ endpoint, reason });
}
