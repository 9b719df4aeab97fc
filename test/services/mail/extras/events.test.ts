import { type Client, FileUpload, LargeFileUploadTask } from '@microsoft/microsoft-graph-client';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';

const FILE = { '@odata.type': '#microsoft.graph.fileAttachment', name: 'menu.txt', contentBytes: 'c291cA==' };
const at = (day: string, hour: string) => ({ dateTime: `${day}T${hour}:00:00`, timeZone: 'UTC' });
const COLOR = 'String {66f5a359-4659-4830-9070-00047ec6ac6e} Name Color';

onBothStores('attachments, extensions and properties of events', (bench) => {
  let client: Client;

  beforeEach(async () => {
    await bench.jar.reset();
    client = await graphClient(bench);
  });

  const event = (more: object = {}) =>
    client
      .api('/me/events')
      .post({ subject: 'Lunch', start: at('2030-01-07', '12'), end: at('2030-01-07', '13'), ...more });

  it('files are attached to an event, shown, and removed', async () => {
    const { id } = await event();
    const path = `/me/events/${id}`;
    const added = await client.api(`${path}/attachments`).post(FILE);
    expect(added['@odata.context']).toMatch(/\/events\('[^']+'\)\/attachments\/\$entity$/);
    expect((await client.api(path).get()).hasAttachments).toBe(true);
    expect((await client.api(`/me/calendar/events/${id}/attachments`).get()).value).toMatchObject([
      { name: 'menu.txt' },
    ]);
    const expanded = await client.api(path).expand('attachments').get();
    expect(expanded.attachments).toMatchObject([{ id: added.id, contentBytes: 'c291cA==' }]);
    const raw = await bench.call('GET', `/v1.0${path}/attachments/${added.id}/$value`);
    expect(raw.text).toBe('soup');
    await client.api(`${path}/attachments/${added.id}`).delete();
    expect((await client.api(path).get()).hasAttachments).toBe(false);
  });

  it('a large file is uploaded to an event by the official client', async () => {
    const { id } = await event();
    const whole = Buffer.alloc(3 * 1024 * 1024 + 1, 'soup');
    const session = await LargeFileUploadTask.createUploadSession(
      client,
      `/me/events/${id}/attachments/createUploadSession`,
      { AttachmentItem: { attachmentType: 'file', name: 'menu.pdf', size: whole.length } },
    );
    const file = new FileUpload(whole, 'menu.pdf', whole.length);
    const { location } = await new LargeFileUploadTask(client, file, session, { rangeSize: 3_932_160 }).upload();
    expect(location).toMatch(/\/Events\('[^']+'\)\/Attachments\('[^']+'\)$/);
    const attachment = await client
      .api(location ?? '')
      .select('name,size,contentType')
      .get();
    expect(attachment).toMatchObject({ name: 'menu.pdf', size: whole.length, contentType: 'application/pdf' });
  });

  it('files and extensions can be sent with a new event, and events are found by extensions and extended properties', async () => {
    const { id } = await event({
      attachments: [FILE],
      extensions: [{ '@odata.type': 'microsoft.graph.openTypeExtension', extensionName: 'Com.Contoso.Deal', value: 1 }],
      singleValueExtendedProperties: [{ id: COLOR, value: 'Green' }],
    });
    await event({ subject: 'Other' });
    const expanded = await client
      .api(`/me/events/${id}`)
      .expand(`attachments,extensions,singleValueExtendedProperties($filter=id eq '${COLOR}')`)
      .get();
    expect(expanded).toMatchObject({
      hasAttachments: true,
      attachments: [{ name: 'menu.txt' }],
      extensions: [{ extensionName: 'Com.Contoso.Deal', value: 1 }],
      singleValueExtendedProperties: [{ id: COLOR, value: 'Green' }],
    });
    for (const filter of [
      "Extensions/any(f:f/id eq 'Com.Contoso.Deal')",
      `singleValueExtendedProperties/any(ep: ep/id eq '${COLOR}' and ep/value eq 'Green')`,
    ]) {
      const found = await client.api('/me/events').filter(filter).get();
      expect(found.value.map((each: { id: string }) => each.id)).toEqual([id]);
    }
  });

  it('an occurrence shares the attachments of its series, and may have extensions of its own', async () => {
    const master = await event({
      recurrence: {
        pattern: { type: 'daily', interval: 1 },
        range: { type: 'numbered', startDate: '2030-01-07', numberOfOccurrences: 3 },
      },
    });
    const window = '?startDateTime=2030-01-01T00:00:00Z&endDateTime=2030-02-01T00:00:00Z';
    const [first, second] = (await client.api(`/me/events/${master.id}/instances${window}`).get()).value;
    const added = await client.api(`/me/events/${second.id}/attachments`).post(FILE);
    expect((await client.api(`/me/events/${master.id}/attachments`).get()).value).toMatchObject([{ id: added.id }]);
    expect((await client.api(`/me/events/${first.id}`).get()).hasAttachments).toBe(true);
    await client.api(`/me/events/${second.id}/extensions`).post({ extensionName: 'Own', value: 2 });
    expect((await client.api(`/me/events/${second.id}/extensions`).get()).value).toMatchObject([{ value: 2 }]);
    expect((await client.api(`/me/events/${first.id}/extensions`).get()).value).toEqual([]);
    expect((await client.api(`/me/events/${master.id}/extensions`).get()).value).toEqual([]);
    expect((await client.api(`/me/events/${second.id}`).get()).type).toBe('exception');
    await client.api(`/me/events/${second.id}/attachments/${added.id}`).delete();
    expect((await client.api(`/me/events/${first.id}`).get()).hasAttachments).toBe(false);
  });

  it('an update of an event changes the extensions that it names, and keeps the others', async () => {
    const extension = (extensionName: string, values: object) => ({
      '@odata.type': 'microsoft.graph.openTypeExtension',
      extensionName,
      ...values,
    });
    const { id } = await event({ extensions: [extension('Com.A', { one: 1, two: 2 }), extension('Com.B', { b: 1 })] });
    const path = `/me/events/${id}`;
    await client.api(path).patch({ extensions: [extension('com.a', { one: null, three: 3 }), extension('Com.C', {})] });
    const { value } = await client.api(`${path}/extensions`).get();
    expect(value.map(({ '@odata.type': _type, id: _id, ...each }: Record<string, unknown>) => each)).toEqual([
      { extensionName: 'Com.A', two: 2, three: 3 },
      { extensionName: 'Com.B', b: 1 },
      { extensionName: 'Com.C' },
    ]);
    const twice = { extensions: [extension('Com.D', {}), extension('com.d', {})] };
    await expect(client.api(path).patch(twice)).rejects.toMatchObject({ statusCode: 409 });
    await expect(client.api(path).patch({ attachments: [FILE] })).rejects.toMatchObject({
      statusCode: 400,
      code: 'ErrorInvalidPropertySet',
    });
  });

  it('an update of an occurrence keeps extensions and extended properties with that occurrence', async () => {
    const master = await event({
      singleValueExtendedProperties: [{ id: COLOR, value: 'Green' }],
      recurrence: {
        pattern: { type: 'daily', interval: 1 },
        range: { type: 'numbered', startDate: '2030-01-07', numberOfOccurrences: 3 },
      },
    });
    const window = '?startDateTime=2030-01-01T00:00:00Z&endDateTime=2030-02-01T00:00:00Z';
    const [first, second] = (await client.api(`/me/events/${master.id}/instances${window}`).get()).value;
    await client.api(`/me/events/${second.id}`).patch({
      extensions: [{ extensionName: 'Own', value: 2 }],
      singleValueExtendedProperties: [{ id: COLOR, value: 'Red' }],
    });
    const shown = async (of: string) => {
      const query = `extensions,singleValueExtendedProperties($filter=id eq '${COLOR}')`;
      const found = await client.api(`/me/events/${of}`).expand(query).get();
      return [found.singleValueExtendedProperties[0].value, found.extensions.length];
    };
    expect([await shown(master.id), await shown(first.id), await shown(second.id)]).toEqual([
      ['Green', 0],
      ['Green', 0],
      ['Red', 1],
    ]);
  });

  it('the token needs a permission for calendars', async () => {
    const { id } = await event();
    const mail = await graphClient(bench, { scopes: ['Mail.ReadWrite'] });
    await expect(mail.api(`/me/events/${id}/attachments`).get()).rejects.toMatchObject({ statusCode: 403 });
    const reader = await graphClient(bench, { scopes: ['Calendars.Read'] });
    expect((await reader.api(`/me/events/${id}/attachments`).get()).value).toEqual([]);
    await expect(reader.api(`/me/events/${id}/attachments`).post(FILE)).rejects.toMatchObject({ statusCode: 403 });
  });
});
