import fc from 'fast-check';
import { expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { applied, type DeltaRow, round } from './sync.ts';

type Step =
  | { readonly do: 'create' }
  | { readonly do: 'change' | 'delete' | 'move' | 'return'; readonly which: number }
  | { readonly do: 'sync'; readonly size: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ do: 'create' } as const) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('change', 'delete', 'move', 'return'),
      which: fc.nat({ max: 20 }),
    }) as fc.Arbitrary<Step>,
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('sync' as const), size: fc.integer({ min: 1, max: 4 }) }) },
);

onBothStores('delta of messages under random writes', (bench) => {
  it('a client that follows delta, whose pages are interleaved with writes, ends up with the content of the folder', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.boolean(), async (steps, immutable) => {
        await bench.jar.reset();
        const headers: Record<string, string> = immutable ? { prefer: 'IdType="ImmutableId"' } : {};
        const call = (method: string, path: string, body?: unknown) =>
          bench.call(method, `/v1.0/me/${path}`, { headers, ...(body !== undefined && { body }) });
        const list = async (folder: string) => {
          const { body } = await call('GET', `mailFolders/${folder}/messages?$top=1000&$orderby=createdDateTime`);
          return (body as { value: { id: string; subject: string }[] }).value;
        };
        let count = 0;
        const text = (): string => {
          count += 1;
          return `${count}`;
        };
        const write = async (each: Exclude<Step, { do: 'sync' }>): Promise<void> => {
          if (each.do === 'create') {
            await call('POST', 'messages', { subject: text() });
            return;
          }
          const there = await list(each.do === 'return' ? 'archive' : 'drafts');
          const message = there[each.which % Math.max(1, there.length)];
          if (!message) return;
          if (each.do === 'change')
            await call('PATCH', `messages/${message.id}`, { subject: `${message.subject} ${text()}` });
          if (each.do === 'delete') await call('DELETE', `messages/${message.id}`);
          if (each.do === 'move') await call('POST', `messages/${message.id}/move`, { destinationId: 'archive' });
          if (each.do === 'return') await call('POST', `messages/${message.id}/move`, { destinationId: 'drafts' });
        };
        let known = new Map<string, DeltaRow>();
        let link = '/v1.0/me/mailFolders/drafts/messages/delta?$select=subject';
        const writes = steps.filter((each) => each.do !== 'sync');
        const pending = writes.values();
        const sync = async (size: number): Promise<void> => {
          const prefer = [headers.prefer, `odata.maxpagesize=${size}`].filter(Boolean).join(', ');
          const between = async () => {
            const next = pending.next();
            if (!next.done) await write(next.value);
          };
          const { rows, link: next } = await round(bench, link, { headers: { prefer }, between });
          expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
          known = applied(known, rows);
          link = next;
        };
        for (const each of steps) {
          if (each.do === 'sync') await sync(each.size);
          else {
            const next = pending.next();
            if (!next.done) await write(next.value);
          }
        }
        await sync(3);
        await sync(3);
        // Changes between the pages of the last rounds are reported in one more round.
        await sync(100);
        await sync(100);
        const content = (rows: Iterable<{ readonly id: string; readonly subject?: unknown }>) =>
          [...rows].map(({ id, subject }) => [id, subject]).toSorted();
        expect(content(known.values())).toEqual(content(await list('drafts')));
      }),
      { numRuns: process.env.CLOUDJAR_SOAK === '1' ? 100 : 12 },
    );
  });
});
