import { defineWork } from '../../../kernel/work/index.ts';

interface Registration {
  /** In lower case, as the namespace. */
  readonly subscriptionId: string;
  readonly namespace: string;
}

/** A registration of a provider goes on after its answer. */
export const FINISH_REGISTRATION = defineWork<Registration>('resources.finish-registration');

export const registrationId = ({ subscriptionId, namespace }: Registration): string =>
  `resources.registration:${subscriptionId}:${namespace}`;
