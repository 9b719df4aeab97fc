import type { Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';

const EXPAND = 'microsoft.graph.eventMessage/event';

onBothStores('the event of a meeting message', (bench) => {
  let guest: Client;

  beforeEach(async () => {
    await bench.jar.reset();
    const host = await graphClient(bench);
    guest = await graphClient(bench, { user: 'licensed' });
    await guest.api('/me/messages').post({ subject: 'plain' });
    await host.api('/me/events').post({
      subject: 'Lunch',
      start: { dateTime: '2030-01-07T12:00:00', timeZone: 'UTC' },
      end: { dateTime: '2030-01-07T13:00:00', timeZone: 'UTC' },
      attendees: [{ emailAddress: { address: 'licensed@vendor.example' }, type: 'required' }],
      attachments: [{ '@odata.type': '#microsoft.graph.fileAttachment', name: 'menu.txt', contentBytes: 'c291cA==' }],
    });
    await bench.jar.settled();
  });

  it('is shown by $expand, is null after its deletion, and is absent on plain messages', async () => {
    const list = async () => {
      const { value } = await guest.api('/me/messages').expand(EXPAND).select('subject').get();
      return new Map(value.map((each: { subject: string; event?: unknown }) => [each.subject, each]));
    };
    const before = await list();
    expect(before.get('plain')).not.toHaveProperty('event');
    expect(before.get('Lunch')).toMatchObject({ event: { subject: 'Lunch', isOrganizer: false } });
    const { id, event } = before.get('Lunch') as { id: string; event: { id: string } };
    const one = await guest.api(`/me/messages/${id}`).expand(EXPAND).get();
    expect(one.event).toEqual(event);
    await guest.api(`/me/events/${event.id}`).delete();
    expect((await list()).get('Lunch')).toMatchObject({ event: null });
  });

  it('is shown with the properties that are selected', async () => {
    const expand = `${EXPAND}($select=id,subject,start,attendees)`;
    const [message] = (await guest.api('/me/messages').expand(expand).filter("subject eq 'Lunch'").get()).value;
    const { '@odata.etag': _, ...shown } = message.event;
    expect(Object.keys(shown).toSorted()).toEqual(['attendees', 'id', 'start', 'subject']);
    expect(shown.start).toEqual({ dateTime: '2030-01-07T12:00:00.0000000', timeZone: 'UTC' });
    const wrong = guest.api('/me/messages').expand(`${EXPAND}($select=colour)`).get();
    await expect(wrong).rejects.toMatchObject({ statusCode: 400 });
  });

  it('leads to the attachments and extensions of the event', async () => {
    const [message] = (await guest.api('/me/messages').filter("subject eq 'Lunch'").get()).value;
    const path = `/me/messages/${message.id}/event`;
    const added = await guest.api(`${path}/extensions`).post({ extensionName: 'Seen', by: 'me' });
    expect(added['@odata.context']).toMatch(/\/events\('AAMk[\w-]+'\)\/extensions\/\$entity$/);
    expect((await guest.api(`${path}/extensions`).get()).value).toMatchObject([{ by: 'me' }]);
  });
});
