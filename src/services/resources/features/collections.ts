import { collection } from '../../../kernel/store/index.ts';

export type FeatureState = 'Pending' | 'Registering' | 'Registered' | 'Unregistering' | 'Unregistered';

/** State of a subscription's registration for a feature. The key is the subscription, the namespace and the name, in lower case. */
export interface FeatureRegistration {
  readonly subscriptionId: string;
  readonly namespace: string;
  readonly name: string;
  readonly state: FeatureState;
  /** By the jar's clock; set while the feature is registered. */
  readonly registeredAt?: number;
}

export const featureRegistrations = collection<FeatureRegistration>('resources.features');

export const featureKey = (subscriptionId: string, namespace: string, name: string): string =>
  `${subscriptionId}/${namespace}/${name}`.toLowerCase();
