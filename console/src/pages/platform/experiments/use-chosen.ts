import { useAddressParam } from '../../../shared/address.ts';

/** More curves cannot be told apart. */
export const MOST_CHOSEN = 12;

/** The runs that a person compares: kept in the address. */
export function useChosen() {
  const [param = '', setParam] = useAddressParam('compare');
  const chosen = param.split(',').filter(Boolean);
  return {
    chosen,
    toggle: (id: string): void =>
      setParam(
        (chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id].slice(-MOST_CHOSEN)).join(','),
      ),
    clear: (): void => setParam(undefined),
  };
}
