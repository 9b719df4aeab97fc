import fc from 'fast-check';
import { expect, it } from 'vitest';
import { onAnyStore } from '../benches.ts';
import { Batches } from './batches.ts';

/** Effect of one request of a random batch on the records of a name; the index refers to an earlier request. */
type Step =
  | { readonly kind: 'make' | 'refused' | 'look' | 'missing' }
  | { readonly kind: 'price'; readonly of: number; readonly price: number }
  | { readonly kind: 'remove'; readonly of: number };

const index = fc.nat({ max: 8 });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant<Step>({ kind: 'make' }) },
    { weight: 1, arbitrary: fc.constantFrom<Step>({ kind: 'refused' }, { kind: 'look' }, { kind: 'missing' }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('price' as const), of: index, price: fc.nat({ max: 9 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), of: index }) },
  ),
  { maxLength: 14 },
);

interface Expected {
  readonly statuses: number[];
  readonly prices: number[];
}

/** Expected result if requests run one after another. */
function expected(batch: readonly Step[], continuesAfterResponse: boolean, isSnapshot: boolean): Expected {
  const records = new Map<number, number>();
  const failed = new Set<number>();
  const statuses: number[] = [];
  const statusOf = (step: Step, at: number): number => {
    if (!('of' in step)) {
      if (step.kind === 'make') records.set(at, 0);
      return { make: 201, refused: 400, look: 200, missing: 404 }[step.kind];
    }
    if (failed.has(step.of) && step.of < at) return 424;
    if (batch[step.of]?.kind !== 'make' || step.of >= at) return 400;
    if (!records.has(step.of)) return 404;
    if (step.kind === 'price') records.set(step.of, step.price);
    else records.delete(step.of);
    return step.kind === 'price' ? 200 : 204;
  };
  for (const [at, step] of batch.entries()) {
    const status = statusOf(step, at);
    statuses.push(status);
    if (status < 400) continue;
    failed.add(at);
    if (!continuesAfterResponse) break;
  }
  const isTakenBack = isSnapshot && statuses.some((status) => status >= 400);
  return { statuses, prices: isTakenBack ? [] : [...records.values()].sort() };
}

onAnyStore('a random batch', (bench) => {
  const books = new Batches(bench);

  it('has the same effect as its requests one after another', async () => {
    const items = await books.set('items');
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), fc.boolean(), async (batch, continuesAfterResponse, isSnapshot) => {
        const displayName = books.name();
        const requestOf = (step: Step): object => {
          if (!('of' in step)) {
            return {
              make: { method: 'POST', url: items, body: { displayName } },
              refused: { method: 'POST', url: items, body: { displayName, nonsense: 1 } },
              look: { method: 'GET', url: `${items}?$top=1` },
              missing: { method: 'DELETE', url: `${items}(${crypto.randomUUID()})` },
            }[step.kind];
          }
          // Only a request that creates a record has an id that can be referred to.
          const url = `$${step.of}`;
          if (step.kind === 'remove') return { method: 'DELETE', url };
          return { method: 'PATCH', url, headers: { 'if-match': '*' }, body: { unitPrice: step.price } };
        };
        const requests = batch.map((step, at) => ({
          ...requestOf(step),
          ...((step.kind === 'make' || step.kind === 'refused') && { id: String(at) }),
        }));
        const reply = await books.send(requests, {
          ...(continuesAfterResponse && { prefer: 'odata.continue-on-error' }),
          ...(isSnapshot && { isolation: 'snapshot' }),
        });
        const found = await books.read(`items?$filter=displayName eq '${displayName}'&$select=unitPrice`);
        const prices = found.map(({ unitPrice }: { unitPrice: number }) => unitPrice).sort();
        const named = new Set(batch.flatMap(({ kind }, at) => (kind === 'make' || kind === 'refused' ? [at] : [])));
        const model = expected(
          batch.map((step) => ('of' in step && !named.has(step.of) ? { ...step, of: 99 } : step)),
          continuesAfterResponse,
          isSnapshot,
        );
        expect({ statuses: books.statuses(reply), prices }).toEqual(model);
      }),
      { numRuns: 40 },
    );
  });
});
