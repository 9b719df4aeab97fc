import type { Control } from './control.ts';
import { JarError } from './error.ts';
import type { DeliveryFilter, JarDeliveries } from './types/deliveries.d.ts';

const LARGEST_PAGE = 1000;
const PATH = '/_jar/deliveries';

/** Client of the deliveries in the control API. */
export function jarDeliveries({ ask, list }: Control): JarDeliveries {
  return {
    list: (filter = {}) => list(`${PATH}?${queryOf({ ...filter, $top: LARGEST_PAGE })}`),
    get: async (id) => ask('GET', pathOf(id)),
    replay: async (id) => {
      await ask('POST', `${pathOf(id)}/replay`);
    },
    clear: async (filter = {}) => {
      const query = queryOf(filter);
      return (await ask<{ removed: number }>('DELETE', query === '' ? PATH : `${PATH}?${query}`)).removed;
    },
  };
}

function pathOf(id: string): string {
  // With an empty id the path would mean all deliveries.
  if (id === '') throw new JarError('the id of the delivery is empty', { code: 'IdMissing' });
  return `${PATH}/${encodeURIComponent(id)}`;
}

/** Omits undefined values; the jar refuses unknown names. */
function queryOf(values: DeliveryFilter & { readonly $top?: number }): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
}
