import { useData } from '../../shared/api/use-data.ts';
import type { Choice } from '../../shared/ui/field.tsx';
import { askArm } from './api.ts';

interface Location {
  readonly name: string;
  readonly displayName: string;
  readonly metadata?: { readonly regionType?: string };
}

const VERSION = '2022-12-01';

/** The regions in which resources of a subscription can be. */
export function useLocations(subscription: string | undefined): readonly Choice<string>[] {
  const { data } = useData(
    ['arm-locations', subscription],
    async (signal) => {
      const { body } = await askArm<{ readonly value: readonly Location[] }>(`${subscription}/locations`, VERSION, {
        signal,
      });
      return body.value.filter(({ metadata }) => metadata?.regionType !== 'Logical');
    },
    { enabled: subscription !== undefined && subscription !== '', keepPrevious: true },
  );
  return (data ?? []).map(({ name, displayName }) => ({ value: name, label: `${displayName} (${name})` }));
}
