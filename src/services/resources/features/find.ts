import { type ArmFacts, canonicalNamespace, type Subscription, unknownNamespace } from '../../../kernel/arm/index.ts';
import type { Call } from '../../../kernel/service/index.ts';
import type { Reader } from '../../../kernel/store/index.ts';
import { gatewayApiErrors } from '../errors.ts';
import { FEATURES, type Feature } from './catalogue.ts';
import { type FeatureRegistration, featureKey, featureRegistrations } from './collections.ts';

/** The namespace as declared; throws if the jar does not have it. */
function namespaceOf({ jar }: Pick<Call, 'jar'>, sent: string): string {
  const wanted = canonicalNamespace(sent, jar.config.namespace).toLowerCase();
  const found = jar.providers.find(({ namespace }) => namespace.toLowerCase() === wanted);
  if (!found) throw unknownNamespace(jar, sent);
  return found.namespace;
}

export function findFeature(
  call: Pick<Call, 'jar'>,
  { namespace: sent, feature }: { readonly namespace: string; readonly feature: string },
): Feature {
  const namespace = namespaceOf(call, sent);
  const wanted = feature.toLowerCase();
  const found = FEATURES.find((each) => each.namespace === namespace && each.name.toLowerCase() === wanted);
  if (!found) throw gatewayApiErrors.FeatureNotFound({ feature, namespace: sent });
  return found;
}

export async function registrationOf(
  reader: Pick<Reader, 'get'>,
  arm: ArmFacts,
  { namespace, name }: Feature,
): Promise<FeatureRegistration | undefined> {
  const { subscriptionId } = arm.subscription as Subscription;
  return (await reader.get(featureRegistrations, featureKey(subscriptionId, namespace, name), 'none'))?.value;
}

export function featuresOf(call: Pick<Call, 'jar'>, sent: string): readonly Feature[] {
  const namespace = namespaceOf(call, sent);
  return FEATURES.filter((each) => each.namespace === namespace);
}
