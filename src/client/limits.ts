import type { Control } from './control.ts';
import type { JarLimit, JarLimits } from './types/limits.d.ts';

const PATH = '/_jar/limits';

/** Client of the limits in the control API. */
export function jarLimits({ ask, list }: Control): JarLimits {
  return {
    list: (name) => list(name === undefined ? PATH : `${PATH}?name=${encodeURIComponent(name)}`),
    change: async (changes) => (await ask<{ value: JarLimit[] }>('PATCH', PATH, changes)).value,
  };
}
