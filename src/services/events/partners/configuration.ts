import { asJson, type ValueOf } from '../../../kernel/arm/body/index.ts';
import type { ArmFacts } from '../../../kernel/arm/index.ts';
import {
  type AnyArmCode,
  checkTags,
  idOf,
  mutate,
  type Resource,
  type ResourceDefinition,
  resources,
  systemDataAfter,
} from '../../../kernel/arm/index.ts';
import { type Answer, ok } from '../../../kernel/http/index.ts';
import { armCode, type EventsCall, type EventsJar } from '../jar.ts';
import { invalid } from '../topics/body.ts';
import { notFound } from '../topics/find.ts';
import { EVENT_VERSIONS } from '../version-table.ts';
import { type Authorization, authorizationIn, authorizedPartner, daysOr, isSamePartner } from './authorization.ts';
import { CONFIGURATION_BODY, CONFIGURATION_PATCH, MOST_AUTHORIZED, PARTNER, readPartner } from './body.ts';
import { CONFIGURATION } from './kinds.ts';
import { badName } from './names.ts';
import { patchSchema } from './patch.ts';
import { removeOf } from './remove.ts';
import { partnerView } from './view.ts';

/**
 * The partner configuration of a resource group (one per group): which partners may create partner topics and partner destinations there.
 */

const PARAMS = ['subscriptionId', 'resourceGroupName', 'resourceName'] as const;

/** Changes the configuration that a path names; throws if it does not exist. */
async function change(
  call: EventsCall,
  arm: ArmFacts,
  params: Record<(typeof PARAMS)[number], string>,
  next: (before: Authorization, now: number) => Authorization,
  tags?: Record<string, string>,
): Promise<Answer> {
  const key = idOf(CONFIGURATION, params, arm).toLowerCase();
  const resource = await mutate(call, async (tx) => {
    const before = (await tx.get(resources, key))?.value;
    if (!before) throw notFound(arm, CONFIGURATION.type, params.resourceName);
    const now = call.jar.clock.now();
    const after: Resource = {
      ...before,
      ...(tags && { tags }),
      properties: { ...before.properties, partnerAuthorization: asJson(next(authorizationIn(before), now)) },
      extra: { ...before.extra, systemData: systemDataAfter(call, before.extra.systemData) },
      changedAt: now,
    };
    await tx.put(resources, key, after);
    return after;
  });
  return ok(partnerView(resource, arm.prefix, true, undefined, call));
}

const patch: AnyArmCode = armCode(PARAMS, {
  body: patchSchema(CONFIGURATION_PATCH),
  handle(call, arm) {
    const { properties } = readPartner(CONFIGURATION_PATCH, call, arm, call.body);
    const days = properties?.defaultMaximumExpirationTimeInDays;
    const tags = call.body.tags ? checkTags(call.body.tags) : undefined;
    const next = (before: Authorization): Authorization => ({
      ...before,
      ...(days !== undefined && { defaultMaximumExpirationTimeInDays: days }),
    });
    return change(call, arm, call.params, next, tags);
  },
});

/** A partner that is already authorized gets a new expiry time. */
export const authorizePartner: AnyArmCode = armCode(PARAMS, {
  body: PARTNER.schema(),
  handle(call, arm) {
    const sent = readPartner(PARTNER, call, arm, call.body);
    return change(call, arm, call.params, (before, now) => {
      const partner = authorizedPartner(sent, '', before.defaultMaximumExpirationTimeInDays, now);
      const others = before.authorizedPartnersList.filter((each) => !isSamePartner(each, partner));
      if (others.length >= MOST_AUTHORIZED)
        throw invalid(
          'partnerRegistrationImmutableId',
          `${MOST_AUTHORIZED} partners are authorized already, which is the maximum`,
        );
      return { ...before, authorizedPartnersList: [...others, partner] };
    });
  },
});

export const unauthorizePartner: AnyArmCode = armCode(PARAMS, {
  body: PARTNER.schema(),
  handle(call, arm) {
    const { authorizationExpirationTimeInUtc: _, ...sent } = readPartner(PARTNER, call, arm, call.body);
    return change(call, arm, call.params, (before, now) => {
      const partner = authorizedPartner(sent, '', before.defaultMaximumExpirationTimeInDays, now);
      const authorizedPartnersList = before.authorizedPartnersList.filter((each) => !isSamePartner(each, partner));
      return { ...before, authorizedPartnersList };
    });
  },
});

export const CONFIGURATION_DEFINITION: ResourceDefinition<ValueOf<typeof CONFIGURATION_BODY>, undefined, EventsJar> = {
  ...CONFIGURATION,
  versions: EVENT_VERSIONS,
  body: CONFIGURATION_BODY.schema(),
  namePattern: /^default$/i,
  badName: badName('partner configuration', "a group has only one, which is called 'default'"),
  alwaysOk: true,
  prepare: (call, arm, { body }) => readPartner(CONFIGURATION_BODY, call, arm, body),
  write({ call, now, existing, prepared }) {
    const { authorizedPartnersList: sent = [], defaultMaximumExpirationTimeInDays } =
      prepared.properties?.partnerAuthorization ?? {};
    const days = daysOr(defaultMaximumExpirationTimeInDays);
    const authorizedPartnersList = sent.map((each, index) =>
      authorizedPartner(each, `properties.partnerAuthorization.authorizedPartnersList[${index}]`, days, now),
    );
    const authorization: Authorization = { defaultMaximumExpirationTimeInDays: days, authorizedPartnersList };
    return {
      properties: { partnerAuthorization: asJson(authorization), provisioningState: 'Succeeded' },
      extra: { systemData: systemDataAfter(call, existing?.extra.systemData) },
    };
  },
  view: partnerView,
  patch,
  remove: removeOf(CONFIGURATION, 200),
};
