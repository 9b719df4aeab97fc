import { listPage, mutate } from '../../../kernel/arm/index.ts';
import { type Answer, created, noContent, ok, type Route } from '../../../kernel/http/index.ts';
import { eq } from '../../../kernel/store/index.ts';
import { type Alias, aliases, aliasKey } from '../collections.ts';
import { subscriptionErrors } from '../errors.ts';
import { armRoute, type SubscriptionsCall } from '../jar.ts';
import { NAMESPACE } from '../names.ts';
import { callerOf } from '../roles.ts';
import { shownAnswer, VERSIONS } from '../version-table.ts';
import { ALIAS_BODY, readAlias } from './body.ts';
import { lockedAlias, putAlias, requireAlias } from './put.ts';
import { AliasListSchema, AliasSchema, aliasView } from './view.ts';

const TYPE = `${NAMESPACE}/aliases`;
const COLLECTION = `/providers/${TYPE}`;
const ALIAS = `${COLLECTION}/{aliasName}` as const;
const ACTIONS = { read: `${TYPE}/read`, write: `${TYPE}/write`, delete: `${TYPE}/delete` } as const;
const common = { resourceType: TYPE, versions: VERSIONS.of('aliases'), tenantLevel: true } as const;

export const aliasRoutes: readonly Route[] = [
  armRoute({
    ...common,
    method: 'PUT',
    path: ALIAS,
    operation: 'Alias_Create',
    summary: 'Creates a subscription, or an alias for one that exists',
    action: ACTIONS.write,
    body: ALIAS_BODY.schema(),
    responses: { 200: AliasSchema, 201: AliasSchema },
    async admit(call) {
      await requireAlias(call, legalName(call.params.aliasName), 'write', ACTIONS.write);
    },
    async handle(call, arm) {
      const name = legalName(call.params.aliasName);
      const existing = await requireAlias(call, name, 'write', ACTIONS.write);
      const request = readAlias(call.body, arm.view.rules, call.jar.config.namespace);
      const alias = await putAlias(call, name, existing, request, ACTIONS.write);
      const isReady = alias.progress.provisioningState === 'Succeeded';
      return shown(call, alias, arm, isReady ? ok : created);
    },
  }),
  armRoute({
    ...common,
    method: 'GET',
    path: ALIAS,
    operation: 'Alias_Get',
    summary: 'One alias, with the state of its creation',
    action: ACTIONS.read,
    responses: { 200: AliasSchema },
    async handle(call, arm) {
      const name = legalName(call.params.aliasName);
      const alias = await requireAlias(call, name, 'read', ACTIONS.read);
      if (!alias) throw subscriptionErrors.AliasNotFound({ alias: name });
      return shown(call, alias, arm, ok);
    },
  }),
  armRoute({
    ...common,
    method: 'DELETE',
    path: ALIAS,
    operation: 'Alias_Delete',
    summary: 'Removes an alias; its subscription stays',
    action: ACTIONS.delete,
    responses: { 200: 'Removed', 204: 'The alias did not exist' },
    async handle(call) {
      const name = legalName(call.params.aliasName);
      const alias = await requireAlias(call, name, 'write', ACTIONS.delete);
      if (!alias) return noContent();
      const wasThere = await mutate(call, async (tx) => {
        await lockedAlias(tx, call, name, ACTIONS.delete);
        return tx.delete(aliases, aliasKey(alias.tenantId, name));
      });
      return wasThere ? { status: 200 } : noContent();
    },
  }),
  armRoute({
    ...common,
    method: 'GET',
    path: COLLECTION,
    operation: 'Alias_List',
    summary: "The caller's own aliases",
    action: ACTIONS.read,
    shows: 'list',
    responses: { 200: AliasListSchema },
    async handle(call, { apiVersion, prefix }) {
      const { tenantId, objectId } = callerOf(call);
      const filter = eq('creator', objectId.toLowerCase());
      const source = { filter, prefix: aliasKey(tenantId, '') };
      const answer = await listPage(call, aliases, source, (alias) => aliasView(alias, call, prefix));
      return { ...answer, body: shownAnswer(answer.body, apiVersion, 'list') };
    },
  }),
];

function shown(
  call: SubscriptionsCall,
  alias: Alias,
  { apiVersion, prefix }: { readonly apiVersion: string; readonly prefix: string },
  answer: (body: unknown) => Answer,
): Answer {
  return answer(shownAnswer(aliasView(alias, call, prefix), apiVersion, 'one'));
}

/** The documentation recommends letters, digits and hyphens; the live service refuses other names with 403. */
const NAME = /^[\w-]{1,64}$/;

function legalName(name: string): string {
  if (NAME.test(name)) return name;
  const reason = `The alias '${name.slice(0, 80)}' is not allowed: it must be 1 to 64 letters, digits, hyphens and underscores.`;
  throw subscriptionErrors.Forbidden({ reason }, { target: 'aliasName' });
}
