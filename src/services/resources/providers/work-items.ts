import { defineWork } from '../../../kernel/work/index.ts';

interface Registration {
  /** Lower case, like the namespace. */
  readonly subscriptionId: string;
  readonly namespace: string;
}

/** Completes a provider's registration or unregistration after its answer. */
export const FINISH_REGISTRATION = defineWork<Registration>('resources.finish-registration', {
  title: 'Finishes the registration of a resource provider',
  subject: 'namespace',
});

export const registrationId = ({ subscriptionId, namespace }: Registration): string =>
  `resources.registration:${subscriptionId}:${namespace}`;
