import type { Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';

const at = (day: string, hour: string, timeZone = 'Europe/Berlin') => ({ dateTime: `${day}T${hour}:00:00`, timeZone });

onBothStores('the page of an online meeting', (bench) => {
  let client: Client;

  beforeEach(async () => {
    await bench.jar.reset();
    client = await graphClient(bench);
  });

  const meeting = (more: object = {}) =>
    client.api('/me/events').post({
      subject: 'Review <b>of</b> plans',
      start: at('2030-01-07', '12'),
      end: at('2030-01-07', '13'),
      isOnlineMeeting: true,
      ...more,
    });
  const open = async ({ onlineMeeting }: { readonly onlineMeeting: { readonly joinUrl: string } }) => {
    const response = await fetch(onlineMeeting.joinUrl);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it('shows the meeting to anyone with the URL, and cannot be framed', async () => {
    const made = await meeting();
    const shown = await open(made);
    expect(shown.status).toBe(200);
    expect(shown.headers.get('content-type')).toMatch(/^text\/html/);
    expect(shown.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(shown.text).toContain('Review &lt;b&gt;of&lt;/b&gt; plans');
    expect(shown.text).toContain('2030-01-07 12:00 (Europe/Berlin) to 2030-01-07 13:00 (Europe/Berlin)');
    expect(shown.text).toContain(made.onlineMeeting.conferenceId);
    await client.api(`/me/events/${made.id}`).patch({ sensitivity: 'private' });
    expect((await open(made)).text).not.toContain('plans');
  });

  it('ends with the meeting, and has nothing at other addresses', async () => {
    const made = await meeting();
    await client.api(`/me/events/${made.id}`).delete();
    expect(await open(made)).toMatchObject({ status: 404, text: expect.stringContaining('There is no such meeting') });
    for (const id of ['0123456789abcdef', 'x', '%00', 'x'.repeat(2000)])
      expect((await fetch(`${bench.jar.url}/meet/${id}`)).status, id).toBe(404);
  });

  it('one occurrence can be an online meeting of its own', async () => {
    const master = await meeting({
      isOnlineMeeting: false,
      recurrence: {
        pattern: { type: 'daily', interval: 1 },
        range: { type: 'numbered', startDate: '2030-01-07', numberOfOccurrences: 3 },
      },
    });
    const window = '?startDateTime=2030-01-01T00:00:00Z&endDateTime=2030-02-01T00:00:00Z';
    const [, second] = (await client.api(`/me/events/${master.id}/instances${window}`).get()).value;
    const path = `/me/events/${second.id}`;
    const moved = { start: at('2030-01-08', '15'), end: at('2030-01-08', '16') };
    const made = await client.api(path).patch({ isOnlineMeeting: true, ...moved });
    expect((await open(made)).text).toContain('2030-01-08 15:00');
  });

  it('the address in an invitation leads to the meeting of its organizer', async () => {
    const made = await meeting({ attendees: [{ emailAddress: { address: 'licensed@vendor.example' } }] });
    await bench.jar.settled();
    const guest = await graphClient(bench, { user: 'licensed' });
    const [invited] = (await guest.api('/me/events').get()).value;
    expect(invited.onlineMeeting.joinUrl).toBe(made.onlineMeeting.joinUrl);
    await guest.api(`/me/events/${invited.id}`).delete();
    expect((await open(made)).status).toBe(200);
  });
});
