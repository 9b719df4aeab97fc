import { Type } from 'typebox';
import { type ArmFacts, type Resource, resources, subscriptions, withPrefix } from '../../../kernel/arm/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import { eq, pagesOf, readCached } from '../../../kernel/store/index.ts';
import { armCode, type EventsCall } from '../jar.ts';
import { partnerErrors } from './errors.ts';
import { REGISTRATION, VERIFIED_PARTNER_TYPE } from './kinds.ts';
import { saysSystemData } from './view.ts';

/** Verified partners that customers can choose from: those of the caller's tenant whose registration is not hidden. */

const text = Type.String();
const Optional = Type.Optional(text);

const VerifiedView = Type.Object({
  id: text,
  name: text,
  type: text,
  systemData: Type.Union([Type.Object({}), Type.Null()]),
  properties: Type.Object({
    partnerRegistrationImmutableId: text,
    organizationName: Optional,
    partnerDisplayName: Optional,
    partnerTopicDetails: Type.Object({ description: Optional, longDescription: Optional, setupUri: Optional }),
    provisioningState: text,
  }),
});

const isVisible = ({ properties }: Resource): boolean => properties.visibilityState !== 'Hidden';

/** By name; of several registrations with one name, the first. */
async function verifiedPartners({ jar, caller }: EventsCall): Promise<Map<string, Resource>> {
  const { store } = jar;
  const found = new Map<string, Resource>();
  for await (const page of pagesOf(store, resources, { filter: eq('type', REGISTRATION.type.toLowerCase()) })) {
    for (const { value } of page.filter((each) => isVisible(each.value))) {
      const subscription = await readCached(store, subscriptions, value.subscriptionId.toLowerCase());
      const name = value.name.toLowerCase();
      if (subscription?.value.tenantId === caller?.tenantId && !found.has(name)) found.set(name, value);
    }
  }
  return found;
}

function view({ name, properties, extra }: Resource, arm: ArmFacts): Record<string, unknown> {
  const { partnerRegistrationImmutableId, partnerName, partnerResourceTypeDisplayName } = properties;
  const { partnerResourceTypeDescription: description, longDescription, setupUri } = properties;
  const type = withPrefix(VERIFIED_PARTNER_TYPE, arm.prefix);
  return {
    properties: {
      partnerRegistrationImmutableId,
      organizationName: partnerName,
      partnerDisplayName: partnerResourceTypeDisplayName,
      partnerTopicDetails: { description, longDescription, setupUri },
      provisioningState: 'Succeeded',
    },
    systemData: saysSystemData(arm) ? extra.systemData : null,
    id: `/providers/${type}/${name}`,
    name,
    type,
  };
}

export const listVerified = armCode([], {
  responses: { 200: Type.Object({ value: Type.Array(VerifiedView) }) },
  async handle(call, arm) {
    return ok({ value: [...(await verifiedPartners(call)).values()].map((each) => view(each, arm)) });
  },
});

export const getVerified = armCode(['verifiedPartnerName'], {
  responses: { 200: VerifiedView },
  async handle(call, arm) {
    const { verifiedPartnerName: name } = call.params;
    const found = (await verifiedPartners(call)).get(name.toLowerCase());
    if (!found) throw partnerErrors.VerifiedPartnerNotFound({ name: name.slice(0, 100) });
    return ok(view(found, arm));
  },
});
