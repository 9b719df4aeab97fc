import { addressOf } from '../../shared/address.ts';
import { dataOf } from '../../shared/api/control.ts';
import type { Palette } from '../../shared/page.ts';
import { lifecycle } from './api.ts';

const MOST = 5;

export const palette: Palette = {
  actions: [{ title: 'Create an app', kind: 'App lifecycle', address: `${addressOf('lifecycle')}?new=app` }],
  async search(text, signal) {
    const apps = await dataOf(lifecycle.GET('/v0.1/apps', { signal }));
    const found = apps.filter(({ display_name, name }) => `${display_name} ${name}`.toLowerCase().includes(text));
    return found.slice(0, MOST).map(({ display_name, name, owner }) => ({
      title: display_name,
      kind: 'App',
      address: addressOf('lifecycle', owner.name, name),
    }));
  },
};
