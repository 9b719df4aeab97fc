import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';

onAnyStore('query options of messages', (bench) => {
  const get = (path: string, token?: string) => bench.call('GET', `/beta/me/${path}`, token ? { token } : {});
  const subjects = async (query: string): Promise<string[]> =>
    (await get(`messages?${query}`)).body.value.map(({ subject }: { subject: string }) => subject);

  beforeEach(async () => {
    await bench.jar.reset();
    const mailbox = bench.jar.mailbox('admin');
    const from = 'Carol <carol@fabrikam.example>';
    await mailbox.send({ from, subject: 'Lunch', text: 'secret words' });
    await mailbox.send({
      from,
      subject: 'Review',
      text: 'Please come',
      meeting: { start: '2027-01-05T10:00:00', timeZone: 'Europe/Berlin', duration: '45m', location: 'Room 4' },
    });
  });

  it.each([
    ["isof('microsoft.graph.eventMessage')", ['Review']],
    ["not isof('microsoft.graph.eventMessage')", ['Lunch']],
    ["isof('microsoft.graph.eventMessageResponse') or subject eq 'lunch'", ['Lunch']],
    ["microsoft.graph.eventMessageRequest/meetingRequestType eq 'newMeetingRequest'", ['Review']],
    ['microsoft.graph.eventMessage/isOutOfDate eq false', ['Review']],
    ['microsoft.graph.eventMessage/isOutOfDate eq true', []],
    ["microsoft.graph.eventMessage/type eq 'singleInstance' and isRead eq false", ['Review']],
    ['microsoft.graph.eventMessageRequest/responseRequested eq true', ['Review']],
  ])('$filter=%s', async (filter, found) => {
    expect(await subjects(`$filter=${encodeURIComponent(filter)}`)).toEqual(found);
  });

  it('$select names properties of types behind the type, and location as the specification spells it', async () => {
    const select = 'subject,microsoft.graph.eventMessage/startDateTime,___location';
    const { body } = await get(`messages?$select=${select}`);
    expect(body.value).toMatchObject([
      {
        subject: 'Review',
        startDateTime: { dateTime: '2027-01-05T09:00:00.0000000' },
        location: { displayName: 'Room 4' },
      },
      { subject: 'Lunch' },
    ]);
    expect(body.value[1]).not.toHaveProperty('startDateTime');
    const delta = await get(`mailFolders/inbox/messages/delta?$select=${select}`);
    expect(delta.body.value.map(({ location }: { location?: object }) => location !== undefined)).toContain(true);
    expect(await get('messages?$select=microsoft.graph.eventMessage/nothing')).toMatchObject({
      status: 400,
      body: { error: { code: 'RequestBroker--ParseUri' } },
    });
  });

  it.each([
    ['messages?$apply=aggregate(size)', '$apply'],
    ['messages?$fliter=isRead eq true', '$fliter'],
    ['mailFolders/inbox?$nothing=1', '$nothing'],
    ['mailFolders?$search="x"', '$search'],
  ])('%s is refused, since it would have no effect', async (path, target) => {
    expect(await get(path)).toMatchObject({
      status: 400,
      body: { error: { code: 'ErrorInvalidUrlQuery', target } },
    });
    expect(await get('messages?unknown=1')).toMatchObject({ status: 200 });
  });

  describe('with a basic permission', () => {
    it.each([
      "$filter=contains(body/content,'secret')",
      "$filter=isRead eq false and bodyPreview eq 'secret words'",
      "$filter=singleValueExtendedProperties/any(p:p/id eq 'Integer 0x4001' and p/value eq '5')",
      "$filter=extensions/any(e:e/id eq 'x')",
      '$orderby=bodyPreview',
      '$expand=microsoft.graph.eventMessage/event',
      '$search="secret"',
    ])('%s is refused: it would say what the content is', async (query) => {
      const token = await bench.jar.token({ scope: 'Mail.ReadBasic' });
      expect(await get(`messages?${query}`, token)).toMatchObject({
        status: 403,
        body: { error: { code: 'ErrorAccessDenied' } },
      });
      expect(await get("messages?$filter=subject eq 'lunch'&$orderby=subject", token)).toMatchObject({ status: 200 });
    });
  });

  describe('odata.metadata', () => {
    const ask = (path: string, level: string) =>
      bench.call('GET', `/beta/me/${path}`, { headers: { accept: `application/json;odata.metadata=${level}` } });
    const annotations = (item: object) => Object.keys(item).filter((name) => name.includes('@'));

    it('none leaves out all annotations except those needed for paging', async () => {
      const { body, headers } = await ask('messages?$top=1&$count=true', 'none');
      expect(headers.get('content-type')).toContain('odata.metadata=none');
      expect(annotations(body).toSorted()).toEqual(['@odata.count', '@odata.nextLink']);
      expect(annotations(body.value[0])).toEqual([]);
    });

    it('full names the types of plain items, too', async () => {
      const { body, headers } = await ask('messages?$select=subject', 'full');
      expect(headers.get('content-type')).toContain('odata.metadata=full');
      expect(body.value.map((each: Record<string, string>) => each['@odata.type'])).toEqual([
        '#microsoft.graph.eventMessageRequest',
        '#microsoft.graph.message',
      ]);
      expect((await ask('mailFolders/inbox', 'full')).body['@odata.type']).toBe('#microsoft.graph.mailFolder');
      expect((await ask('events', 'full')).body.value[0]['@odata.type']).toBe('#microsoft.graph.event');
    });

    it('minimal, the default, has only the types of meeting messages', async () => {
      const { body } = await ask('messages', 'minimal');
      expect(body.value.map((each: Record<string, string>) => each['@odata.type'])).toEqual([
        '#microsoft.graph.eventMessageRequest',
        undefined,
      ]);
    });
  });
});
