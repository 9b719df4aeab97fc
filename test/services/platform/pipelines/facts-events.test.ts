import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore, type Reply } from '../../../support/jars.ts';
import { type Ask, good, person, REAL_TIMES, refusal, withoutRates } from '../support.ts';
import { createPipeline, PIPELINES, scripted, startUpdate } from './support.ts';

onAnyStore(
  'data platform: facts about pipelines (E22): events',
  (bench) => {
    let ask: Ask;
    const advance = (by: string) => bench.jar.clock.advance(by);

    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      ask = await person(bench);
    });

    const invalid = (message: string) => ({
      status: 400,
      code: 'INVALID_PARAMETER_VALUE',
      message: expect.stringContaining(message),
    });

    describe('events', () => {
      it('have an id, time, level, type, origin and sequence, and are found by filters', async () => {
        const id = await createPipeline(ask, scripted('e', 'exit 1'));
        const update = await startUpdate(ask, id);
        const begun = bench.jar.clock.now().toISOString();
        await advance('5m');
        const list = async (filter: string, more = '') =>
          (await good(ask('GET', `${PIPELINES}/${id}/events?filter=${encodeURIComponent(filter)}${more}`))).events;
        const all = await list('');
        const failed = all.find(({ level }: { level: string }) => level === 'ERROR');
        expect(failed).toMatchObject({
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          timestamp: expect.stringMatching(/Z$/),
          maturity_level: 'STABLE',
          event_type: 'update_progress',
          message: expect.stringContaining('FAILED'),
          origin: { pipeline_id: id, pipeline_name: 'e', update_id: update },
          sequence: { control_plane_seq_no: expect.any(Number) },
          error: { fatal: false, exceptions: [{ message: 'cloudjar: The program ended with exit code 1' }] },
        });
        expect(await list("level='ERROR'")).toEqual([failed]);
        expect(await list("level in ('ERROR', 'WARN')")).toEqual([failed]);
        expect(await list(`id='${failed.id}'`)).toEqual([failed]);
        expect(await list(`level = 'ERROR' AND timestamp > '${begun}'`)).toEqual([failed]);
        const before = await list(`timestamp <= '${begun}'`, '&order_by=timestamp%20asc');
        expect(before.map(({ event_type: type }: { event_type: string }) => type)).toEqual([
          'user_action',
          'create_update',
          'update_progress',
        ]);
        expect(await list("level='METRICS'")).toEqual([]);
      });

      it('pages lead both ways; a token excludes the other parameters', async () => {
        const id = await createPipeline(ask, scripted('e', 'exit 0'));
        await startUpdate(ask, id);
        await advance('5m');
        const list = (query: string) => good(ask('GET', `${PIPELINES}/${id}/events?${query}`));
        const messages = ({ events }: Reply['body']) => events.map(({ message }: { message: string }) => message);
        const all = messages(await list('order_by=timestamp%20asc'));
        const first = await list('order_by=timestamp%20asc&max_results=3');
        const second = await list(`max_results=3&page_token=${first.next_page_token}`);
        expect([...messages(first), ...messages(second)]).toEqual(all.slice(0, 6));
        expect(messages(await list(`max_results=3&page_token=${second.prev_page_token}`))).toEqual(all.slice(0, 3));
        const refused = (query: string) => ask('GET', `${PIPELINES}/${id}/events?${query}`);
        const both = `page_token=${first.next_page_token}&filter=${encodeURIComponent("level='INFO'")}`;
        expect(refusal(await refused(both))).toMatchObject(invalid('can only be combined with'));
        for (const query of ['max_results=251', 'order_by=level', 'page_token=x'])
          expect(refusal(await refused(query))).toMatchObject(invalid(''));
        for (const filter of [
          "level='LOUD'",
          "level > 'INFO'",
          "timestamp > 'x'",
          'level',
          "level='INFO' OR id='x'",
          "level in ('INFO'",
        ])
          expect(refusal(await refused(`filter=${encodeURIComponent(filter)}`))).toMatchObject(
            invalid('Invalid filter'),
          );
      });
    });
  },
  REAL_TIMES,
);
