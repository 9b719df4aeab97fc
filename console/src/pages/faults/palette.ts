import { addressOf } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import type { Palette } from '../../shared/page.ts';
import { PRESETS } from './presets.ts';
import { effectOf, whichOf } from './rule.ts';

const MOST = 5;

export const palette: Palette = {
  actions: PRESETS.map(({ id, title }) => ({
    title: `Add a fault: ${title}`,
    kind: 'Faults',
    address: `${addressOf('faults', 'new')}?preset=${id}`,
  })),
  async search(text, signal) {
    const { value } = await dataOf(control.GET('/_jar/faults', { params: { query: { $top: 500 } }, signal }));
    return value
      .map((rule) => ({ id: rule.id, title: `${whichOf(rule)}: ${effectOf(rule)}`, state: rule.state }))
      .filter(({ id, title }) => `${id} ${title}`.toLowerCase().includes(text.toLowerCase()))
      .slice(0, MOST)
      .map(({ id, title, state }) => ({ title, kind: `Fault rule, ${state}`, address: addressOf('faults', id) }));
  },
};
