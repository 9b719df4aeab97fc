import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { fileName } from '../../src/cli/mail/save.ts';
import { onAnyStore } from '../support/jars.ts';
import { type CliOptions, type CliResult, runCli } from './cli.ts';

onAnyStore(
  'cloudjar mail',
  (bench) => {
    const folder = mkdtempSync(join(tmpdir(), 'cloudjar-mail-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    beforeEach(() => bench.jar.reset());

    const mail = (args: readonly string[], options: CliOptions = {}): Promise<CliResult> =>
      runCli(['mail', ...args, '--url', bench.jar.url], {
        ...options,
        env: { CLOUDJAR_ADMIN_KEY: bench.jar.adminKey },
      });
    const send = async (...args: readonly string[]): Promise<string> => {
      const { stdout, stderr } = await mail(['send', '--json', ...args]);
      expect(stderr).toBe('');
      return JSON.parse(stdout).recipients[0].id;
    };

    it('shows and removes mail that was kept', async () => {
      expect((await mail(['kept'])).stdout).toBe('no mail to other domains was kept\n');
      const toRecipients = ['eve', 'frank'].map((name) => ({ emailAddress: { address: `${name}@fabrikam.example` } }));
      await bench.call('POST', '/v1.0/me/sendMail', { body: { message: { subject: 'Out', toRecipients } } });
      await bench.jar.settled();
      const { value } = JSON.parse((await mail(['kept', '--json'])).stdout);
      expect((await mail(['kept', '--to', 'eve@fabrikam.example'])).stdout.split('\n')).toEqual([
        expect.stringMatching(/^id +sent +from +to +subject$/),
        expect.stringMatching(/^\S+ +2030-01-01T00:00:00.000Z +admin@vendor.example +eve@fabrikam.example +Out$/),
        '',
      ]);
      expect((await mail(['kept', value[0].id])).stdout).toContain('Subject: Out\r\n');
      expect((await mail(['kept', value[0].id, '--remove'])).stdout).toBe('removed one mail\n');
      expect((await mail(['kept', '--clear'])).stdout).toBe('removed one mail\n');
      expect((await mail(['kept', '--clear'])).stdout).toBe('removed 0 mails\n');
    });

    it('sends, lists and shows', async () => {
      expect((await mail([])).stdout).toBe('no mailbox has been used yet\n');
      const sent = await mail([
        'send',
        ...['--to', 'admin', '--to', 'licensed@vendor.example', '--from', 'Carol <carol@fabrikam.example>'],
        ...['--subject', 'Lunch', '--text', 'At noon?'],
      ]);
      expect(sent).toMatchObject({ code: 0, stderr: '' });
      const [, id = ''] =
        /^it is in the mailbox of admin@vendor\.example: (\S+)\nit is in the mailbox of licensed@vendor\.example: \S+\n$/.exec(
          sent.stdout,
        ) ?? [];
      expect((await mail([])).stdout).toBe(
        [
          'user      address                  messages  unread',
          'admin     admin@vendor.example            1       1',
          'licensed  licensed@vendor.example         1       1',
          '',
        ].join('\n'),
      );
      const at = '2030-01-01T00:00:00.000Z';
      expect((await mail(['list'])).stdout.split('\n')).toEqual([
        'id                received                  state   folder  from                    subject  meeting',
        `${id}  ${at}  unread  Inbox   carol@fabrikam.example  Lunch`,
        '',
      ]);
      expect((await mail(['show', 'admin', id])).stdout).toBe(
        [
          'Lunch',
          `  id          ${id}`,
          '  from        Carol <carol@fabrikam.example>',
          '  to          admin@vendor.example, licensed@vendor.example',
          `  received    ${at}`,
          '  folder      Inbox, unread',
          '',
          'At noon?',
          '',
        ].join('\n'),
      );
      expect(JSON.parse((await mail(['show', 'admin', id, '--json'])).stdout)).toMatchObject({
        id,
        text: 'At noon?',
      });
      expect(JSON.parse((await mail(['list', 'admin', '--json'])).stdout).value).toMatchObject([{ id }]);
    });

    it('finds messages by what they are', async () => {
      const lunch = await send('--to', 'admin', '--from', 'carol@fabrikam.example', '--subject', "Carol's lunch");
      const budget = await send('--to', 'admin', '--from', 'dan@fabrikam.example', '--subject', 'Budget');
      const listed = async (...args: string[]): Promise<string[]> =>
        JSON.parse((await mail(['list', 'admin', '--json', ...args])).stdout).value.map(({ id }: { id: string }) => id);
      expect(await listed('--from', 'CAROL')).toEqual([lunch]);
      expect(await listed('--subject', "carol's")).toEqual([lunch]);
      expect(await listed('--unread', '--folder', 'inbox')).toEqual([budget, lunch]);
      expect(await listed('--folder', 'Sent Items')).toEqual([]);
      expect(await listed('--filter', "subject eq 'budget' or isRead", '--from', 'dan')).toEqual([budget]);
      expect((await mail(['list', '--top', '1'])).stdout).toContain('there are more: use filters');
      expect((await mail(['list', 'licensed'])).stdout).toBe('no messages match\n');
    });

    it('sends a whole mail as it is, from a file or standard input, to whom it names or to others', async () => {
      const mime = 'From: carol@fabrikam.example\nTo: admin@vendor.example\nSubject: Raw\n\nHello\n';
      const file = join(folder, 'mail.eml');
      writeFileSync(file, mime);
      const id = await send('--file', file);
      const { stdout } = await mail(['show', 'admin', id, '--source']);
      expect(stdout).toContain(mime.replaceAll('\n', '\r\n'));
      const piped = await mail(['send', '--file', '-', '--to', 'licensed'], { input: mime });
      expect(piped.stdout).toMatch(/^it is in the mailbox of licensed@vendor\.example: \S+\n$/);
      const text = await mail(['send', '--to', 'admin', '--text', '-', '--json'], { input: 'From a pipe' });
      const [{ id: read }] = JSON.parse(text.stdout).recipients;
      expect((await mail(['show', 'admin', read])).stdout).toMatch(/\n\nFrom a pipe\n$/);
    });

    it('invites', async () => {
      const id = await send(
        ...['--to', 'admin', '--invite', '--organizer', 'Carol <carol@fabrikam.example>', '--subject', 'Review'],
        ...['--start', '2031-01-06T10:00', '--time-zone', 'Europe/Berlin', '--duration', '45m', '--location', 'Room 1'],
      );
      const { stdout } = await mail(['show', 'admin', id]);
      expect(stdout).toContain('  from        Carol <carol@fabrikam.example>\n');
      expect(stdout).toContain(
        '  meeting     meetingRequest (newMeetingRequest), 2031-01-06T09:00:00.000Z to 2031-01-06T09:45:00.000Z, Room 1\n',
      );
      expect((await mail(['list'])).stdout).toMatch(/Review {3}meetingRequest\n/);
      const [event] = await bench.jar.mailbox('admin').events();
      expect(event).toMatchObject({ subject: 'Review', organizer: 'carol@fabrikam.example' });
    });

    it('saves attachments, and never over a file or outside of the folder', async () => {
      const content = Buffer.from([0, 255, 10]);
      const { recipients } = await bench.jar.mailbox('admin').send({
        attachments: ['../../evil.txt', 'a.bin', 'A.bin'].map((name) => ({ name, content })),
      });
      const target = join(folder, 'saved', 'deep');
      const args = ['show', 'admin', recipients[0]?.id ?? '', '--attachments', target];
      const { stdout } = await mail(args);
      const names = readdirSync(target).toSorted();
      expect(names).toHaveLength(3);
      for (const name of names) {
        expect(stdout).toContain(`  saved       ${join(target, name)}\n`);
        expect(readFileSync(join(target, name))).toEqual(content);
      }
      expect(existsSync(join(folder, 'evil.txt'))).toBe(false);
      expect(await mail(args)).toMatchObject({ code: 2, stderr: expect.stringContaining('already exists') });
    });

    it('sends files along', async () => {
      const file = join(folder, 'notes.txt');
      writeFileSync(file, 'Some notes');
      const id = await send('--to', 'admin', '--subject', 'Files', '--attach', file);
      expect((await mail(['show', 'admin', id])).stdout).toContain(
        '  attachment  notes.txt (application/octet-stream, 10 bytes)\n',
      );
    });

    it('shows nothing that a terminal would act on', async () => {
      const text = 'red \u001b[31malert\u0007\ttab\u009b2J';
      const id = await send('--to', 'admin', '--subject', 'x', '--text', text);
      const { stdout } = await mail(['show', 'admin', id]);
      expect(stdout).toMatch(/\n\nred \\x1b\[31malert\\x07\ttab\\x9b2J\n$/);
    });

    it('says what is wrong', async () => {
      const cases: [string[], number, string][] = [
        [['send', '--subject', 'x'], 2, 'give a recipient with --to, such as --to admin'],
        [['send', '--to', 'admin', '--start', '2031-01-01'], 2, '--start belongs to --invite'],
        [
          ['send', '--to', 'admin', '--invite', '--duration', '45'],
          2,
          "--duration must be a duration with its unit, such as 45ms or 45s, not '45'",
        ],
        [
          ['send', '--file', 'x.eml', '--time-zone', 'UTC'],
          2,
          '--file is a complete message, which --time-zone cannot change',
        ],
        [['send', '--file', join(folder, 'none.eml')], 2, 'none.eml cannot be read'],
        [['send', '--to', 'admin', '--attach', folder], 2, 'cannot be read'],
        [['send', '--to', 'eve@fabrikam.example'], 2, "'eve@fabrikam.example' is not in a domain of this jar"],
        [['send', '--to', 'nobody'], 2, "'nobody' is neither a mail address nor a user of this jar."],
        [['list', 'nobody'], 1, "There is no user 'nobody' in this jar."],
        [['list', '--top', '0'], 2, 'a whole number'],
        [['list', '--folder', 'none'], 1, "The mailbox of admin@vendor.example has no folder 'none'; "],
        [['list', '--folder', 'Sent'], 1, 'or a well-known name, such as inbox, sentitems or deleteditems.'],
        [['send', '--to', 'admin', '--invite', '--start', '5pm'], 2, 'cloudjar: --start must be a time like'],
        [
          ['send', '--to', 'admin', '--invite', '--start', '2031-01-01T09:00', '--time-zone', 'Berlin'],
          2,
          'cloudjar: --time-zone is not a known time zone.',
        ],
        [['kept', 'none'], 1, "There is no kept mail 'none'"],
        [['kept', 'x', '--json'], 2, 'a kept mail is printed as MIME'],
        [['show', 'admin', ''], 2, 'the id of the message is empty'],
        [['show', 'admin', 'none'], 1, "There is no message 'none' in the mailbox of admin@vendor.example."],
        [['show', 'admin', 'none', '--source'], 1, "There is no message 'none'"],
        [['show', 'admin', 'x', '--source', '--json'], 2, '--source prints the message and nothing else'],
        [['kept', '--remove'], 2, '--remove needs the id of a kept mail'],
        [['kept', 'none', '--clear'], 2, '--clear removes all kept mail'],
        [['kept', '--clear', '--to', 'eve'], 2, '--to and --top apply only to the list'],
        [['sned'], 2, "unknown command 'mail sned' (did you mean mail send?)"],
      ];
      for (const [args, code, message] of cases) {
        const result = await mail(args);
        expect(result, args.join(' ')).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
      }
    });
  },
  { clockStart: '2030-01-01T00:00:00Z' },
);

describe('the name of a saved attachment', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['../../etc/passwd', '__.._etc_passwd'],
    ['..', '_'],
    ['.bashrc', '_bashrc'],
    ['', 'attachment'],
    ['a\u0000b\n.txt', 'a_b_.txt'],
    ['C:\\con', 'C__con'],
    ['nul.txt', '_nul.txt'],
    ['dots... ', 'dots'],
    [`${'x'.repeat(300)}.html`, `${'x'.repeat(55)}.html`],
  ])('of %j is %j', (name, expected) => {
    expect(fileName(name)).toBe(expected);
  });
});
