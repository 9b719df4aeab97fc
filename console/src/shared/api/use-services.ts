import type { Choice } from '../ui/field.tsx';
import { control, dataOf } from './control.ts';
import { useData } from './use-data.ts';

/** The services of the jar, to choose one of them. */
export function useServices(): readonly Choice<string>[] {
  const overview = useData(['services'], (signal) => dataOf(control.GET('/_jar/overview', { signal })));
  return (overview.data?.services ?? []).map(({ name, title }) => ({ value: name, label: title }));
}
