import { useAddressParam } from '../../shared/address.ts';
import { Select } from '../../shared/ui/field.tsx';
import type { ContainerStates, FullGroup } from './api.ts';

/** Keeps the chosen container in the address, for logs and terminal. */
export const CONTAINER_PARAM = 'container';

interface Chosen {
  /** The first container unless another is chosen. */
  readonly container: ContainerStates | undefined;
  readonly choose: (name: string) => void;
}

export function useContainer({ containerStates }: FullGroup): Chosen {
  const [chosen, choose] = useAddressParam(CONTAINER_PARAM);
  const container =
    containerStates.find(({ name }) => name === chosen) ??
    containerStates.find(({ isInit }) => !isInit) ??
    containerStates[0];
  return { container, choose };
}

export function ContainerChoice({ group }: { readonly group: FullGroup }) {
  const { container, choose } = useContainer(group);
  return (
    <Select
      label="Container"
      value={container?.name ?? ''}
      onChange={choose}
      choices={group.containerStates.map(({ name, isInit }) => ({
        value: name,
        label: isInit ? `${name} (init)` : name,
      }))}
    />
  );
}
