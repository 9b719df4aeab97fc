import type { Control } from './control.ts';
import type { TestFaults } from './faults-types.d.ts';

/** The control API's faults, without the HTTP. */
export function testFaults({ ask, list }: Control): TestFaults {
  const path = '/_jar/faults';
  return {
    add: (order) => ask('POST', path, order),
    list: () => list(path),
    remove: async (id) => {
      // Without an id the path would be that of all rules.
      if (id === '') throw new Error('the id of the rule is empty');
      await ask('DELETE', `${path}/${encodeURIComponent(id)}`);
    },
    clear: async () => {
      await ask('DELETE', path);
    },
  };
}
