import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';

const COUNT = 23;

/** The clock of these jars stands still: all messages have the same times. */
onBothStores('messages of the same moment', (bench) => {
  const created: string[] = [];

  beforeEach(async () => {
    await bench.jar.reset();
    created.length = 0;
    for (let at = 0; at < COUNT; at++) {
      const { body } = await bench.call('POST', '/v1.0/me/messages', { body: { subject: `Letter ${at}` } });
      created.push(body.subject);
    }
  });

  /** The subjects on all pages, and the number of pages. */
  async function pages(query: string): Promise<{ readonly subjects: string[]; readonly count: number }> {
    const subjects: string[] = [];
    let count = 0;
    for (let next: string | undefined = `/v1.0/me/${query}`; next !== undefined; ) {
      const { status, body } = await bench.call('GET', next);
      expect(status).toBe(200);
      subjects.push(...body.value.map(({ subject }: { subject: string }) => subject));
      count += 1;
      next = body['@odata.nextLink']?.slice(bench.jar.url.length);
    }
    return { subjects, count };
  }

  it.each([
    ['messages', 3],
    ['messages?$top=1', COUNT],
    ['messages?$top=7', 4],
    ['mailFolders/drafts/messages?$top=5', 5],
    ["messages?$filter=contains(body/content,'')&$top=4", 6],
    ["messages?$filter=subject ge 'l'&$top=6", 4],
    ['messages?$search="letter"&$top=4', 6],
    ['mailFolders/drafts/messages?$search="subject:letter"&$top=9', 3],
  ])('are on the pages of %s once each, the latest first', async (query, count) => {
    const found = await pages(query);
    expect(found.subjects).toEqual(created.toReversed());
    expect(found.count).toBe(count);
  });

  it.each([
    'messages?$orderby=receivedDateTime desc&$top=5',
    'messages?$orderby=receivedDateTime&$top=5',
    'messages?$orderby=importance,isRead desc&$top=3',
    'messages?$filter=receivedDateTime ge 2020-01-01&$orderby=receivedDateTime desc&$top=4',
  ])('are on the pages of %s once each', async (query) => {
    const { subjects } = await pages(query);
    expect(subjects.toSorted()).toEqual(created.toSorted());
  });

  it('are skipped in the order in which they are shown', async () => {
    const { body } = await bench.call('GET', '/v1.0/me/messages?$skip=4&$top=3');
    const latest = created.toReversed().slice(4, 7);
    expect(body.value.map(({ subject }: { subject: string }) => subject)).toEqual(latest);
  });
});
