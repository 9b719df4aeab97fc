import { useAddressParam } from '../address.ts';
import { bothOf, filterOf } from './filter.ts';
import { type QuickFilter, useFilter } from './filter-bar.tsx';
import { ORDER_PARAM } from './list.tsx';

export interface PreparedFilter extends QuickFilter {
  readonly filter: string;
}

export interface ListQuery {
  readonly $filter: string | undefined;
  readonly $orderby: string | undefined;
  /** The id of the prepared filter that is chosen. */
  readonly quick: string | undefined;
}

/** What a list asks the control API for: the filter and the order that its filter bar and its headings have put into the address. */
export function useListQuery(searched: readonly string[], prepared: readonly PreparedFilter[] = []): ListQuery {
  const { text, quick } = useFilter();
  const [$orderby] = useAddressParam(ORDER_PARAM);
  const $filter = bothOf(prepared.find(({ id }) => id === quick)?.filter, filterOf(text, searched));
  return { $filter, $orderby, quick };
}
