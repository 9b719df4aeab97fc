import type { Static } from 'typebox';
import type { RuleSchema, RuleViewSchema } from '../kernel/faults/schema.ts';
import type { Control } from './control.ts';

export type FaultOrder = Static<typeof RuleSchema>;
export type OrderedFault = Static<typeof RuleViewSchema>;

export interface TestFaults {
  /** Orders something to go wrong: `{ match: { path: '/subscriptions*' }, effect: { status: 429 }, count: 2 }`. */
  add(order: FaultOrder): Promise<OrderedFault>;
  /** With what each has matched and hit so far. */
  list(): Promise<readonly OrderedFault[]>;
  remove(id: string): Promise<void>;
  /** Takes all back. */
  clear(): Promise<void>;
}

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
