import { expect, it } from 'vitest';
import { shownUrl } from '../../../../src/jar/request-entries.ts';
import type { Finished } from '../../../../src/kernel/http/server.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { control, event, makeTopic, publish, subscribe, webHook } from './grid.ts';

const finished: Finished[] = [];

onAnyStore(
  'what is secret in a delivery',
  (bench) => {
    it('is hidden from readers of the jar’s inboxes, deliveries, live feed and log', async () => {
      const topic = await makeTopic(bench);
      const inbox = bench.jar.inbox('secrets');
      await subscribe(bench, topic.id, 'secrets', {
        destination: webHook(`${inbox.httpsUrl}/below?plain=s3cret-query&code=s3cret-code`, {
          deliveryAttributeMappings: [
            { name: 'X-Team', type: 'Static', properties: { value: 's3cret-team', isSecret: true } },
            { name: 'X-Color', type: 'Static', properties: { value: 'green' } },
          ],
        }),
      });
      await publish(bench, topic, event({}));
      await bench.jar.settled();
      const { headers, query } = await inbox.next();
      expect(headers).toMatchObject({ 'x-team': 's3cret-team', 'x-color': 'green' });
      expect(query).toEqual({ plain: 's3cret-query', code: 's3cret-code' });
      expect(Object.keys(headers)).not.toContain('cloudjar-secret-parts');

      const pages = ['inbox', 'inbox/secrets/requests', 'inbox/secrets/requests/2', 'deliveries', 'changes'];
      for (const page of pages) {
        const { text } = await control(bench, page);
        expect([page, text.includes('s3cret')]).toEqual([page, false]);
      }
      const { text: shown } = await control(bench, 'inbox/secrets/requests/2');
      expect(JSON.parse(shown)).toMatchObject({
        query: { plain: '[redacted]', code: '[redacted]' },
        headers: { 'x-team': '[redacted]', 'x-color': 'green' },
      });
      const { text: listed } = await control(bench, 'deliveries');
      for (const { id } of JSON.parse(listed).value) {
        expect((await control(bench, `deliveries/${id}`)).text).not.toContain('s3cret');
      }
      expect(await firstOfStream(bench, 'inbox/secrets/stream?from=start')).not.toContain('s3cret');
      expect(await firstOfStream(bench, 'events?from=start')).not.toContain('s3cret');

      const logged = finished.map(({ call }) => shownUrl(call));
      expect(logged).toContain('/_jar/inbox/secrets/below');
      expect(logged.join()).not.toContain('s3cret');
    });
  },
  { observe: (each) => finished.push(each) },
);

/** Reads the beginning of an endless stream. */
async function firstOfStream({ jar }: Parameters<typeof control>[0], path: string): Promise<string> {
  const leave = new AbortController();
  const response = await fetch(`${jar.url}/_jar/${path}`, {
    headers: { authorization: `Bearer ${jar.adminKey}` },
    signal: leave.signal,
  });
  let text = '';
  for await (const piece of response.body ?? []) {
    text += Buffer.from(piece).toString();
    if (text.includes('\ndata:') && text.endsWith('\n\n')) break;
  }
  leave.abort();
  return text;
}
