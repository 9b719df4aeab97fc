import { useData } from '../../shared/api/use-data.ts';
import type { Choice } from '../../shared/ui/field.tsx';
import { askArm } from './api.ts';

interface Provider {
  readonly namespace: string;
  readonly resourceTypes: readonly { readonly resourceType: string; readonly capabilities?: string }[];
}

const VERSION = '2021-04-01';
/** Parts of the gateway, not resources that a person creates. */
const GATEWAY = /^[^.]+\.(Resources|Authorization|Features|Billing|Subscription|Management)$/i;
const NO_RESOURCE = /^(operations|locations|checkNameAvailability|usages)\b/i;

/** The types of resources that a subscription offers. */
export function useTypes(subscription: string | undefined): readonly Choice<string>[] {
  const { data } = useData(
    ['arm-types', subscription],
    async (signal) => {
      const { body } = await askArm<{ readonly value: readonly Provider[] }>(`${subscription}/providers`, VERSION, {
        signal,
      });
      return body.value
        .filter(({ namespace }) => !GATEWAY.test(namespace))
        .flatMap(({ namespace, resourceTypes }) =>
          resourceTypes
            .filter(({ resourceType }) => !NO_RESOURCE.test(resourceType))
            .map(({ resourceType }) => `${namespace}/${resourceType}`),
        );
    },
    { enabled: subscription !== undefined, keepPrevious: true },
  );
  return (data ?? []).map((type) => ({ value: type, label: type }));
}
