import type { Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';

const MESSAGES = [
  { subject: 'Quarterly report', body: 'Figures of the jar', to: 'bob@fabrikam.example', importance: 'high' },
  { subject: 'Lunch on Friday', body: 'Pizza or pasta? The report can wait.', to: 'eve@fabrikam.example' },
  { subject: 'Café résumé', body: 'Über den Bericht', to: 'bob@fabrikam.example' },
];

/** The text between the double quotes of `$search`, and the indexes of the subjects that it finds. */
const SEARCHES: readonly (readonly [search: string, found: readonly number[]])[] = [
  ['report', [0, 1]],
  ['REP', [0, 1]],
  ['subject:report', [0]],
  ['subject: report', [0]],
  ['body:report', [1]],
  ['report pizza', [1]],
  ['pizza OR figures', [0, 1]],
  ['report NOT pizza', [0]],
  ['(pizza OR figures) AND subject:quarterly', [0]],
  ['\\"quarterly report\\"', [0]],
  ['\\"report quarterly\\"', []],
  ['cafe', [2]],
  ['to:bob', [0, 2]],
  ['to:bob@fabrikam.example', [0, 2]],
  ['participants:eve', [1]],
  ['importance:high', [0]],
  ['importance:medium', [1, 2]],
  ['hasAttachments:false', [0, 1, 2]],
  ['hasAttachment:true', []],
  ['size:0..1', []],
  ['sent:today', [0, 1, 2]],
  ['received:yesterday', []],
  ['received:this week', [0, 1, 2]],
  ['sent:last month', []],
  ['received: This Year report', [0, 1]],
  ['subject:this week', []],
  ['received>=2020-01-01', [0, 1, 2]],
  ['kind:meetings', []],
  ['nothing-of-this', []],
];

onBothStores('searches over messages', (bench) => {
  let client: Client;
  const search = (text: string) => client.api('/me/messages').search(`"${text}"`).select('subject');

  beforeEach(async () => {
    if (client) return;
    client = await graphClient(bench);
    for (const { subject, body, to, importance = 'normal' } of MESSAGES)
      await client.api('/me/messages').post({
        subject,
        importance,
        body: { contentType: 'text', content: body },
        toRecipients: [{ emailAddress: { address: to } }],
      });
  });

  it.each(SEARCHES)('%s', async (text, found) => {
    const { value } = await search(text).get();
    const subjects = value.map(({ subject }: { subject: string }) => subject);
    expect(subjects.toSorted()).toEqual(found.map((at) => MESSAGES[at]?.subject).toSorted());
  });

  it('has pages that end with all that was found', async () => {
    const first = await search('report').top(1).get();
    expect(first.value).toHaveLength(1);
    expect(first['@odata.nextLink']).toContain('skiptoken=');
    const second = await client.api(first['@odata.nextLink']).get();
    expect(second.value).toHaveLength(1);
    expect(second.value[0].id).not.toBe(first.value[0].id);
  });

  it.each([
    ['$orderby=subject', 'SearchWithOrderBy'],
    ['$filter=isRead eq true', 'SearchWithFilter'],
    ['$skip=1', 'SearchWithSkip'],
    ['$count=true', 'SearchWithCount'],
  ])('is refused together with %s', async (option, code) => {
    const { status, body } = await bench.call('GET', `/v1.0/me/messages?$search="report"&${encodeURI(option)}`);
    expect([status, body.error.code]).toEqual([400, code]);
  });
});
