import { addressOf } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { searchOf } from '../../shared/list/filter.ts';
import type { Palette } from '../../shared/page.ts';
import { QUICK } from './filters.ts';

const MOST = 5;

export const palette: Palette = {
  actions: QUICK.map(({ id, phrase }) => ({
    title: phrase,
    kind: 'Requests',
    address: `${addressOf('requests')}?show=${id}`,
  })),
  async search(text, signal) {
    const $filter = searchOf(text, ['path', 'target', 'id', 'requestId']);
    const { value } = await dataOf(
      control.GET('/_jar/requests', { params: { query: { $top: MOST, ...($filter && { $filter }) } }, signal }),
    );
    return value.map(({ id, method, path, target, status }) => ({
      title: `${method} ${path ?? target}`,
      kind: `Request, ${status ?? 'no answer'}`,
      address: addressOf('requests', id),
    }));
  },
};
