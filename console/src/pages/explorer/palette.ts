import { addressOf } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import type { Palette } from '../../shared/page.ts';
import { operationFilter } from './search.ts';

const MOST = 5;

export const palette: Palette = {
  actions: [{ title: 'Try an operation', kind: 'API explorer', address: addressOf('explorer') }],
  async search(text, signal) {
    const $filter = operationFilter(text);
    const { value } = await dataOf(
      control.GET('/_jar/docs/operations', { params: { query: { $top: MOST, ...($filter && { $filter }) } }, signal }),
    );
    return value.map(({ id, method, summary }) => ({
      title: summary,
      kind: `Operation, ${method}`,
      address: addressOf('explorer', id),
    }));
  },
};
