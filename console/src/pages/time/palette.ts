import { addressOf } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { searchOf } from '../../shared/list/filter.ts';
import type { Palette } from '../../shared/page.ts';
import { NEXT, TARGET_PARAM, WORK } from './addresses.ts';

const MOST = 5;
const advance = (target: string): string => `${addressOf('time')}?${TARGET_PARAM}=${target}`;

export const palette: Palette = {
  actions: [
    { title: 'Advance the clock to the next due work', kind: 'Time', address: advance(NEXT) },
    { title: 'Advance the clock by an hour', kind: 'Time', address: advance('1h') },
    { title: 'Advance the clock by a day', kind: 'Time', address: advance('1d') },
    { title: 'Due work', kind: 'Time', address: addressOf('time', WORK) },
    { title: 'Parked work', kind: 'Time', address: `${addressOf('time', WORK)}?show=parked` },
  ],
  async search(text, signal) {
    const $filter = searchOf(text, ['kind', 'id']);
    const { value } = await dataOf(
      control.GET('/_jar/work', { params: { query: { $top: MOST, ...($filter && { $filter }) } }, signal }),
    );
    return value.map(({ id, kind, title, subject, state }) => ({
      title: [title ?? kind, subject].filter(Boolean).join(': '),
      kind: `Due work, ${state}`,
      address: addressOf('time', WORK, id),
    }));
  },
};
