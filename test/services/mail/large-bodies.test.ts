import { expect, it } from 'vitest';
import { LONGEST_BODY } from '../../../src/services/mail/mime/bounds.ts';
import { onAnyStore } from '../../support/jars.ts';

interface Listed {
  readonly value: readonly {
    readonly id: string;
    readonly subject: string;
    readonly body?: { readonly content: string };
  }[];
  readonly '@odata.nextLink'?: string;
  readonly '@odata.deltaLink'?: string;
}

onAnyStore('mail with bodies of megabytes', (bench) => {
  const all = async (path: string): Promise<{ readonly subjects: readonly string[]; readonly pages: number }> => {
    const subjects: string[] = [];
    let pages = 0;
    for (let next: string | undefined = path; next !== undefined; pages += 1) {
      const { status, body } = await bench.call('GET', next);
      expect(status).toBe(200);
      const page = body as Listed;
      subjects.push(...page.value.map(({ subject }) => subject));
      next = page['@odata.nextLink']?.replace(/^https?:\/\/[^/]+/, '');
    }
    return { subjects, pages };
  };

  it('is listed on pages that end early, and nothing is left out', async () => {
    const mailbox = bench.jar.mailbox('admin');
    const wanted = Array.from({ length: 45 }, (_, index) => `Mail ${index}`);
    for (const [index, subject] of wanted.entries())
      await mailbox.send({
        from: 'carol@fabrikam.example',
        subject,
        text: index % 5 === 0 ? 'lunch '.repeat(700_000) : 'lunch',
      });
    for (const path of [
      '/v1.0/me/messages?$top=1000',
      '/v1.0/me/messages?$top=1000&$select=subject',
      "/v1.0/me/messages?$top=1000&$filter=contains(subject,'Mail')",
      '/v1.0/me/messages?$top=1000&$search="lunch"',
      '/v1.0/me/mailFolders/inbox/messages/delta?$top=1000',
    ]) {
      const { subjects, pages } = await all(path);
      expect(subjects.toSorted(), path).toEqual(wanted.toSorted());
      expect(pages, path).toBeGreaterThan(1);
    }
    expect((await all('/v1.0/me/messages?$top=40')).subjects.toSorted()).toEqual(wanted.toSorted());
    expect((await mailbox.messages()).length).toBe(45);
  });

  it('has as much of a body as a request could have, and all of it in its source', async () => {
    const sent = `${'x'.repeat(900)}\r\n`.repeat(6000);
    const { status, body } = await bench.jar
      .mailbox('admin')
      .send({ subject: 'Long', text: sent })
      .then(() =>
        bench.call('GET', "/v1.0/me/messages?$filter=subject eq 'Long'", {
          headers: { prefer: 'outlook.body-content-type="text"' },
        }),
      );
    expect(status).toBe(200);
    const [message] = (body as Listed).value;
    expect(message?.body?.content.length).toBe(LONGEST_BODY);
    const response = await fetch(`${bench.jar.url}/v1.0/me/messages/${message?.id}/$value`, {
      headers: { authorization: `Bearer ${await bench.jar.token()}` },
    });
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(5_400_000);
  });
});
