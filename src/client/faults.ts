import type { Control } from './control.ts';
import { JarError } from './error.ts';
import type { TestFaults } from './types/faults.d.ts';

/** Client of the fault rules in the control API. */
export function testFaults({ ask, list }: Control): TestFaults {
  const path = '/_jar/faults';
  return {
    add: (order) => ask('POST', path, order),
    list: () => list(path),
    remove: async (id) => {
      // With an empty id the path would mean all rules.
      if (id === '') throw new JarError('the id of the rule is empty', { code: 'IdMissing' });
      await ask('DELETE', `${path}/${encodeURIComponent(id)}`);
    },
    clear: async () => {
      await ask('DELETE', path);
    },
  };
}
