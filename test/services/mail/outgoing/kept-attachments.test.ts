import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';

const file = (name: string) => ({ '@odata.type': '#microsoft.graph.fileAttachment', name, contentBytes: 'aGVsbG8=' });

const WITH_PICTURE = [
  'From: Carol <carol@fabrikam.example>',
  'To: admin@vendor.example',
  'Subject: Picture',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=out',
  '',
  '--out',
  'Content-Type: multipart/related; boundary=in',
  '',
  '--in',
  'Content-Type: text/html',
  '',
  '<p>Look: <img src="cid:shown"></p>',
  ...['shown', 'unused'].flatMap((id) => [
    '--in',
    `Content-Type: image/png; name=${id}.png`,
    `Content-ID: <${id}>`,
    'Content-Disposition: inline',
    '',
    'png',
  ]),
  '--in--',
  '--out',
  'Content-Type: text/csv; name=table.csv',
  'Content-Disposition: attachment; filename=table.csv',
  '',
  'a,b',
  '--out--',
  '',
].join('\r\n');

onBothStores('attachments of answers and drafts', (bench) => {
  const call = (method: string, path: string, body?: object) =>
    bench.call(method, `/v1.0/me/${path}`, body ? { body } : {});
  const namesOf = async (id: string): Promise<string[]> =>
    (await call('GET', `messages/${id}/attachments`)).body.value.map(({ name }: { name: string }) => name);
  const found = async (word: string): Promise<string[]> =>
    (await call('GET', `messages?$search="attachment:${word}"`)).body.value.map(({ id }: { id: string }) => id);

  beforeEach(() => bench.jar.reset());

  it('an answer keeps the pictures that the original below it shows, a forwarded message keeps all', async () => {
    await bench.jar.mailbox('admin').send(WITH_PICTURE);
    const [original] = (await call('GET', 'messages')).body.value;
    const reply = (await call('POST', `messages/${original.id}/createReply`)).body;
    expect(reply).toMatchObject({ hasAttachments: false, body: { content: expect.stringContaining('cid:shown') } });
    expect(await namesOf(reply.id)).toEqual(['shown.png']);
    const forward = { message: { attachments: [file('more.txt')] } };
    const forwarded = (await call('POST', `messages/${original.id}/createForward`, forward)).body;
    expect(forwarded.hasAttachments).toBe(true);
    expect(await namesOf(forwarded.id)).toEqual(['more.txt', 'shown.png', 'unused.png', 'table.csv']);
    expect((await found('table')).toSorted()).toEqual([original.id, forwarded.id].toSorted());
    expect(await found('more')).toEqual([forwarded.id]);
  });

  it('searches find drafts and sent messages by their attachments, as long as these are there', async () => {
    const { body: draft } = await call('POST', 'messages', { subject: 'Figures', attachments: [file('report.pdf')] });
    expect(await found('report.pdf')).toEqual([draft.id]);
    const { body: added } = await call('POST', `messages/${draft.id}/attachments`, file('budget.xls'));
    expect(await found('budget')).toEqual([draft.id]);
    expect(await found('report')).toEqual([draft.id]);
    await call('DELETE', `messages/${draft.id}/attachments/${added.id}`);
    expect(await found('budget')).toEqual([]);
    const toRecipients = [{ emailAddress: { address: 'licensed@vendor.example' } }];
    await call('PATCH', `messages/${draft.id}`, { toRecipients });
    await call('POST', `messages/${draft.id}/send`);
    expect(await found('report')).toHaveLength(1);
  });
});
