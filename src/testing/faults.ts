import type { Static } from 'typebox';
import type { RuleSchema, RuleViewSchema } from '../kernel/faults/schema.ts';

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

interface FaultPage {
  readonly value: readonly OrderedFault[];
  readonly nextLink?: string;
}

/** The control API's faults, without the HTTP. */
export function testFaults({ url, adminKey }: { readonly url: string; readonly adminKey: string }): TestFaults {
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${url}/_jar/faults${path}`, {
      method,
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    const answer =
      text === '' ? undefined : (JSON.parse(text) as T & { readonly error?: { readonly message: string } });
    if (!response.ok) throw new Error(answer?.error?.message ?? `faults: ${response.status}`);
    return answer as T;
  };
  return {
    add: (order) => ask('POST', '', order),
    async list() {
      const all: OrderedFault[] = [];
      for (let query: string | undefined = ''; query !== undefined; ) {
        const page: FaultPage = await ask('GET', query);
        all.push(...page.value);
        query = page.nextLink && new URL(page.nextLink).search;
      }
      return all;
    },
    remove: async (id) => {
      // Without an id the path would be that of all rules.
      if (id === '') throw new Error('the id of the rule is empty');
      await ask('DELETE', `/${encodeURIComponent(id)}`);
    },
    clear: async () => {
      await ask('DELETE', '');
    },
  };
}
