import { describe, expect, it } from 'vitest';
import { MAIL_BOUNDS } from '../../../../src/services/mail/mime/bounds.ts';
import { isProblem } from '../../../../src/services/mail/mime/problem.ts';
import { readMail } from '../../../../src/services/mail/mime/read.ts';
import type { ParsedMail } from '../../../../src/services/mail/mime/types.ts';

const lines = (...text: string[]): Buffer => Buffer.from(text.join('\r\n'), 'latin1');

function mailOf(bytes: Buffer): ParsedMail {
  const mail = readMail(bytes);
  if (isProblem(mail)) throw new Error(mail.reason);
  return mail;
}

const withHeaders = (...headers: string[]): ParsedMail => mailOf(lines(...headers, '', 'body'));

const withType = (type: string, encoding: string, body: Buffer): ParsedMail =>
  mailOf(Buffer.concat([lines(`Content-Type: ${type}`, `Content-Transfer-Encoding: ${encoding}`, '', ''), body]));

const problemOf = (bytes: Buffer): string => {
  const result = readMail(bytes);
  return isProblem(result) ? result.code : 'no problem';
};

describe('the header of a mail', () => {
  it('is kept in order, decoded and as received', () => {
    const mail = withHeaders(
      'Received: a',
      'Subject: =?utf-8?Q?caf=C3=A9?=',
      ' =?utf-8?B?IMO8?=',
      'Received: b',
      'X-Odd : c',
    );
    expect(mail.headers).toEqual([
      { name: 'Received', raw: 'a', value: 'a' },
      { name: 'Subject', raw: '=?utf-8?Q?caf=C3=A9?=\r\n =?utf-8?B?IMO8?=', value: 'café ü' },
      { name: 'Received', raw: 'b', value: 'b' },
      { name: 'X-Odd', raw: 'c', value: 'c' },
    ]);
    expect(mail.subject).toBe('café ü');
  });

  it('cannot smuggle a line break through an encoded word', () => {
    const mail = withHeaders(
      'Subject: =?utf-8?Q?a=0D=0ABcc:_x@evil.example?=',
      'From: =?utf-8?Q?Ann=0D=0A=00?= <ann@a.example>',
      'Thread-Topic: =?utf-8?Q?a=0Ab?=',
    );
    expect(mail.subject).toBe('a Bcc: x@evil.example');
    expect(mail.from).toEqual([{ name: 'Ann', address: 'ann@a.example' }]);
    expect(mail.threadTopic).toBe('a b');
    expect(mail.bcc).toEqual([]);
  });

  it.each([
    ['ann@a.example', [{ name: '', address: 'ann@a.example' }]],
    [
      '"Müller, Ann" <ann@a.example>, bob@b.example',
      [
        { name: 'MÃ¼ller, Ann', address: 'ann@a.example' },
        { name: '', address: 'bob@b.example' },
      ],
    ],
    [
      'Team: a@a.example, "B" <b@b.example>;, c@c.example',
      [
        { name: '', address: 'a@a.example' },
        { name: 'B', address: 'b@b.example' },
        { name: '', address: 'c@c.example' },
      ],
    ],
    ['undisclosed-recipients:;', []],
    ['=?iso-8859-1?Q?J=F6rg?= <joerg@a.example> (at work)', [{ name: 'Jörg', address: 'joerg@a.example' }]],
    ['<ann@a.example', [{ name: '', address: 'ann@a.example' }]],
    ['', []],
  ])('reads the addresses of To: %s', (value, expected) => {
    const utf8 = value.includes('ü') ? [{ name: 'Müller, Ann', address: 'ann@a.example' }, expected[1]] : expected;
    expect(mailOf(Buffer.from(`To: ${value}\r\n\r\nbody`)).to).toEqual(utf8);
  });

  it('joins the addresses of several headers of one name, and keeps Sender apart', () => {
    const mail = withHeaders(
      'To: a@a.example',
      'to: b@b.example',
      'CC: c@c.example',
      'Reply-To: r@r.example',
      'Sender: s@s.example',
      'Bcc: d@d.example',
    );
    expect(mail.to.map(({ address }) => address)).toEqual(['a@a.example', 'b@b.example']);
    expect([mail.cc[0]?.address, mail.replyTo[0]?.address, mail.sender?.address, mail.bcc[0]?.address]).toEqual([
      'c@c.example',
      'r@r.example',
      's@s.example',
      'd@d.example',
    ]);
  });

  it('accepts raw UTF-8 addresses and names', () => {
    const mail = mailOf(Buffer.from('From: Jörg <jörg@münchen.example>\r\n\r\nbody'));
    expect(mail.from).toEqual([{ name: 'Jörg', address: 'jörg@münchen.example' }]);
  });

  it.each([
    ['Mon, 05 Jan 2026 09:00:00 +0100', '2026-01-05T08:00:00.000Z'],
    ['5 Jan 2026 09:00 -0530 (comment)', '2026-01-05T14:30:00.000Z'],
    ['Mon, 5 Jan 26 09:00:00 EST', '2026-01-05T14:00:00.000Z'],
    ['Mon, 5 Jan 2026 09:00:00 GMT', '2026-01-05T09:00:00.000Z'],
    ['Mon, 5 Jan 2026 09:00:00', '2026-01-05T09:00:00.000Z'],
    ['yesterday', undefined],
    ['32 Jan 2026 09:00:00 +0000', undefined],
  ])('reads the date %s', (header, expected) => {
    const { date } = withHeaders(`Date: ${header}`);
    expect(date === undefined ? undefined : new Date(date).toISOString()).toBe(expected);
  });

  it('reads message ids, with and without angle brackets', () => {
    const mail = withHeaders(
      'Message-ID: bare@a.example',
      'In-Reply-To: <b@a.example> (of Ann)',
      'References: <a@a.example>',
      '\t<b@a.example> junk <b@a.example>',
    );
    expect([mail.messageId, mail.inReplyTo, mail.references]).toEqual([
      '<bare@a.example>',
      '<b@a.example>',
      ['<a@a.example>', '<b@a.example>'],
    ]);
  });

  it('cuts a References header of thousands in the middle', () => {
    const ids = Array.from({ length: 1500 }, (_, index) => `<${index}@a.example>`);
    const { references } = withHeaders(`References: ${ids.join('\r\n ')}`);
    expect([references.length, references[0], references.at(-1)]).toEqual([200, '<0@a.example>', '<1499@a.example>']);
  });

  it.each([
    [['Importance: High'], 'high'],
    [['Importance: low', 'X-Priority: 1'], 'low'],
    [['X-Priority: 1 (Highest)'], 'high'],
    [['X-Priority: 3'], 'normal'],
    [['X-Priority: 5'], 'low'],
    [['X-MSMail-Priority: High'], 'high'],
    [['Priority: urgent'], 'high'],
    [['Importance: whatever'], 'normal'],
    [[], 'normal'],
  ])('reads the importance of %j', (headers, expected) => {
    expect(withHeaders('Subject: x', ...headers).importance).toBe(expected);
  });

  it.each([
    ['Personal', 'personal'],
    ['private', 'private'],
    ['Company-Confidential', 'confidential'],
    ['odd', 'normal'],
  ])('reads the sensitivity %s', (value, expected) => {
    expect(withHeaders(`Sensitivity: ${value}`).sensitivity).toBe(expected);
  });

  it('reads receipts, the thread, unsubscribing and automatic answers', () => {
    const mail = withHeaders(
      'Disposition-Notification-To: ann@a.example',
      'Return-Receipt-To: ann@a.example',
      'Thread-Topic: Budget',
      'Thread-Index: AdxyEXAMPLE',
      ' AbCd==',
      'List-Unsubscribe: <mailto:leave@a.example?subject=x>, <https://a.example/leave>, <ftp://a.example/>',
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
      'Auto-Submitted: Auto-Replied; owner="x"',
    );
    expect(mail).toMatchObject({
      isReadReceiptRequested: true,
      isDeliveryReceiptRequested: true,
      threadTopic: 'Budget',
      threadIndex: 'AdxyEXAMPLEAbCd==',
      listUnsubscribe: ['mailto:leave@a.example?subject=x', 'https://a.example/leave'],
      isOneClickUnsubscribe: true,
      autoSubmitted: 'auto-replied',
    });
  });

  it('ends at a line that is no header, and skips the first line of a mailbox file', () => {
    const mail = mailOf(
      lines('From ann@a.example Mon Jan  5 09:00:00 2026', 'Subject: x', 'no header', 'To: b@b.example', '', 'more'),
    );
    expect([mail.subject, mail.to, mail.text]).toEqual(['x', [], 'no header\nTo: b@b.example\n\nmore']);
  });
});

describe('the body of a mail', () => {
  it.each([
    ['text/plain; charset=utf-8', '8bit', Buffer.from('é'), 'é'],
    ['text/plain; charset=iso-8859-1', '8bit', Buffer.from([0xe9, 0x80]), 'é€'],
    ['text/plain; charset="windows-1251"', '8bit', Buffer.from([0xc4, 0xe0]), 'Да'],
    ['text/plain; charset=koi8-r', '8bit', Buffer.from([0xe4, 0xc1]), 'Да'],
    ['text/plain; charset=iso-2022-jp', '7bit', Buffer.from('\x1b$B$3$s\x1b(B', 'latin1'), 'こん'],
    ['text/plain; charset=shift_jis', '8bit', Buffer.from([0x82, 0xb1]), 'こ'],
    ['text/plain; charset=gb18030', '8bit', Buffer.from([0xc4, 0xe3]), '你'],
    ['text/plain; charset=utf-16le', 'base64', Buffer.from(Buffer.from('é', 'utf16le').toString('base64')), 'é'],
    ['text/plain; charset=nonsense', '8bit', Buffer.from([0xe9, 0xff]), 'éÿ'],
    [`text/plain; charset=${'x'.repeat(1000)}`, '8bit', Buffer.from([0xe9]), 'é'],
    ['text/plain', '8bit', Buffer.from('é'), 'é'],
    ['text/plain', '8bit', Buffer.from([0xe9]), 'é'],
    ['text/plain; charset=us-ascii', '8bit', Buffer.from('é'), 'é'],
    [
      'text/plain; charset=utf-8',
      'quoted-printable',
      Buffer.from('caf=C3=A9 =\r\ntrailing  \r\n=ZZ=3D=20\r\n=e'),
      'café trailing\n=ZZ= \n=e',
    ],
    ['text/plain; charset=utf-8', 'base64', Buffer.from('Y2Fm*w6k=\r\n=IQ=='), 'café!'],
    ['text/plain; charset=utf-8', 'BASE64 (comment)', Buffer.from('Y2Fm'), 'caf'],
    ['text/plain; charset=utf-8', 'x-unknown', Buffer.from('a=3D'), 'a=3D'],
    [
      'text/plain; format=flowed',
      '7bit',
      Buffer.from('one \r\ntwo\r\n stuffed\r\n-- \r\nname'),
      'one two\nstuffed\n-- \nname',
    ],
    ['text/plain; format=flowed; delsp=yes', '7bit', Buffer.from('on \r\ne'), 'one'],
    ['', '7bit', Buffer.from('plain'), 'plain'],
    ['multipart/mixed; boundary=gone', '7bit', Buffer.from('no parts'), 'no parts'],
    ['multipart/mixed', '7bit', Buffer.from('no boundary'), 'no boundary'],
  ])('of type %s in %s is decoded', (type, encoding, body, expected) => {
    expect(withType(type, encoding, body).text).toBe(expected);
  });

  it('has its text and its HTML form', () => {
    const mail = mailOf(
      lines(
        'Content-Type: multipart/alternative; boundary="a b"',
        '',
        'preamble',
        '--a b',
        '',
        'plain',
        '--a b  ',
        'Content-Type: text/html',
        '',
        '<p>html',
        '',
        '--a b--',
        'epilogue',
      ),
    );
    expect([mail.text, mail.html, mail.attachments]).toEqual(['plain', '<p>html\n', []]);
  });

  it('has no other forms than these, unless there is nothing else', () => {
    const forms = (...types: string[]) =>
      mailOf(
        lines(
          'Content-Type: multipart/alternative; boundary=a',
          '',
          ...types.flatMap((type) => ['--a', `Content-Type: ${type}`, '', type]),
          '--a--',
        ),
      );
    const both = forms('text/plain', 'text/watch-html', 'text/x-amp-html', 'text/html');
    expect([both.text, both.html, both.attachments]).toEqual(['text/plain', 'text/html', []]);
    const odd = forms('text/enriched');
    expect([odd.text, odd.html, odd.attachments]).toEqual(['text/enriched', undefined, []]);
    expect(forms('text/plain', 'application/pdf').attachments).toHaveLength(1);
  });

  it('is put together from several parts, each converted to the form that the mail has', () => {
    const mail = mailOf(
      lines(
        'Content-Type: multipart/mixed; boundary=m',
        '',
        '--m',
        'Content-Type: multipart/alternative; boundary=a',
        '',
        '--a',
        '',
        'one',
        '--a',
        'Content-Type: text/html',
        '',
        '<b>one</b>',
        '--a--',
        '--m',
        '',
        'two & more',
        '--m--',
      ),
    );
    expect(mail.text).toBe('one\ntwo & more');
    expect(mail.html).toBe('<b>one</b>\n<div>two &amp; more</div>');
  });

  it('survives a missing end, and an inner multipart with the boundary of the outer one', () => {
    const mail = mailOf(
      lines(
        'Content-Type: multipart/mixed; boundary=m',
        '',
        '--m',
        'Content-Type: multipart/alternative; boundary=m',
        '',
        '--m',
        '',
        'first',
        '--m',
        'Content-Type: text/html',
        '',
        '<i>second',
      ),
    );
    expect(mail.html).toContain('<i>second');
    expect(mail.text).toContain('first');
  });
});

describe('the attachments of a mail', () => {
  const attachment = (...headers: string[]) =>
    mailOf(
      lines('Content-Type: multipart/mixed; boundary=m', '', '--m', '', 'text', '--m', ...headers, '', 'AAEC', '--m--'),
    );

  it.each([
    [['Content-Type: image/png; name="a.png"'], 'a.png'],
    [['Content-Type: image/png; name=a.png', 'Content-Disposition: attachment; filename="b (1).png"'], 'b (1).png'],
    [
      ['Content-Type: image/png', 'Content-Disposition: attachment; filename=Invoice(1).png (comment)'],
      'Invoice(1).png',
    ],
    [
      ['Content-Type: image/png', "Content-Disposition: attachment; filename=x; filename*=utf-8'de'%C3%BCber.png"],
      'über.png',
    ],
    [
      ['Content-Type: image/png', "Content-Disposition: attachment; filename*1*=%BCber.png; filename*0*=utf-8''%C3"],
      'über.png',
    ],
    [
      ['Content-Type: image/png', 'Content-Disposition: attachment; filename*0="one "; filename*1="two.png"'],
      'one two.png',
    ],
    [['Content-Type: image/png; name="=?utf-8?B?w7xiZXIucG5n?="'], 'über.png'],
    [['Content-Type: image/png; name="..\\..\\etc/passwd"'], 'passwd'],
    [['Content-Type: image/png; name="=?utf-8?Q?a=0D=0Ab.png?="'], 'a b.png'],
    [['Content-Type: image/png'], 'ATT00001.png'],
    [['Content-Type: application/x-odd'], 'ATT00001.bin'],
    [['Content-Type: text/plain; name=notes.txt'], 'notes.txt'],
  ])('with %j are called %s', (headers, name) => {
    expect(attachment(...headers).attachments.map((one) => one.name)).toEqual([name]);
  });

  it('are inline where the HTML can refer to them', () => {
    const mail = mailOf(
      lines(
        'Content-Type: multipart/related; boundary=r',
        '',
        '--r',
        'Content-Type: text/html',
        '',
        '<img src="cid:logo@a">',
        '--r',
        'Content-Type: image/png',
        'Content-ID: <logo@a>',
        'Content-Transfer-Encoding: base64',
        '',
        'AAEC',
        '--r',
        'Content-Type: image/gif; name=b.gif',
        'Content-Disposition: attachment',
        'Content-Location: https://a.example/b.gif',
        '',
        'x',
        '--r--',
      ),
    );
    expect(mail.attachments).toEqual([
      {
        name: 'ATT00001.png',
        contentType: 'image/png',
        contentId: 'logo@a',
        isInline: true,
        bytes: Buffer.from([0, 1, 2]),
        isMessage: false,
      },
      {
        name: 'b.gif',
        contentType: 'image/gif',
        contentLocation: 'https://a.example/b.gif',
        isInline: false,
        bytes: Buffer.from('x'),
        isMessage: false,
      },
    ]);
  });

  it('can be messages, whose bytes can be read again', () => {
    const inner = lines(
      'Subject: inner',
      'Content-Type: multipart/mixed; boundary=m2',
      '',
      '--m2',
      '',
      'inner text',
      '--m2--',
    );
    const mail = mailOf(
      Buffer.concat([
        lines('Content-Type: multipart/mixed; boundary=m', '', '--m', 'Content-Type: message/rfc822', '', ''),
        inner,
        lines('', '--m', '', 'outer text', '--m--'),
      ]),
    );
    const [attached] = mail.attachments;
    expect([mail.text, attached?.isMessage, attached?.name]).toEqual(['outer text', true, 'ATT00001.eml']);
    expect(mailOf(attached?.bytes ?? Buffer.alloc(0))).toMatchObject({ subject: 'inner', text: 'inner text' });
  });

  it('of multipart/digest are messages without saying so', () => {
    const mail = mailOf(
      lines(
        'Content-Type: multipart/digest; boundary=d',
        '',
        '--d',
        '',
        'Subject: one',
        '',
        'x',
        '--d',
        '',
        'Subject: two',
        '',
        'y',
        '--d--',
      ),
    );
    expect(mail.attachments.map(({ isMessage, bytes }) => isMessage && mailOf(bytes).subject)).toEqual(['one', 'two']);
  });
});

describe('a hostile mail', () => {
  const nested = (levels: number): string =>
    Array.from(
      { length: levels },
      (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`,
    ).join('');

  it.each([
    ['of no bytes', '', 'empty'],
    ['of blanks', ' \r\n'.repeat(1000), 'empty'],
    ['with 50 nested multiparts', `${nested(50)}\r\nend`, 'no problem'],
    ['with 51 nested multiparts', `${nested(51)}\r\nend`, 'tooDeep'],
    ['with 10,000 nested multiparts', nested(10_000), 'tooDeep'],
    [
      'with 999 parts',
      `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(999)}`,
      'no problem',
    ],
    [
      'with 100,000 parts',
      `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(100_000)}`,
      'tooManyParts',
    ],
    ['with a header of 10 MB', `X: ${'a'.repeat(10_000_000)}\r\n\r\n`, 'headersTooLarge'],
    ['with 2,001 header lines', `${'X: y\r\n'.repeat(2_001)}\r\n`, 'headersTooLarge'],
    ['with a header of 2,001 folds', `X: y${'\r\n y'.repeat(2_001)}\r\n\r\n`, 'headersTooLarge'],
    [
      'with headers of many parts',
      `Content-Type: multipart/mixed; boundary=b\r\n\r\n${`--b\r\nX: ${'y'.repeat(1_000)}\r\n\r\n`.repeat(300)}`,
      'headersTooLarge',
    ],
    ['with 2,000 addresses', `To: ${'a@b.example,'.repeat(2_000)}\r\n\r\n`, 'no problem'],
    ['with 2,001 addresses', `To: ${'a@b.example,'.repeat(2_000)}\r\nCc: c@d.example\r\n\r\n`, 'tooManyAddresses'],
    ['with 1,000,000 addresses', `To: ${'a@b.example,'.repeat(1_000_000)}\r\n\r\n`, 'headersTooLarge'],
    ['with 100,000 colons in To', `To: ${'a:'.repeat(100_000)}\r\n\r\n`, 'tooManyAddresses'],
    ['with 100,000 quotes in To', `To: ${'"a'.repeat(100_000)}\r\n\r\n`, 'no problem'],
    ['with 100,000 parentheses in To', `To: ${'(a'.repeat(100_000)}\r\n\r\n`, 'no problem'],
    ['with 100,000 parentheses in Content-Type', `Content-Type: ${'a('.repeat(100_000)}\r\n\r\n`, 'no problem'],
    ['with 30,000 parameters', `Content-Type: text/plain${'; a*0=b'.repeat(30_000)}\r\n\r\n`, 'no problem'],
    ['with 18,000 encoded words', `Subject: ${'=?utf-8?Q?a?= '.repeat(18_000)}\r\n\r\n`, 'no problem'],
    ['with half encoded words', `Subject: ${'=?utf-8?Q?'.repeat(25_000)}\r\n\r\n`, 'no problem'],
    ['of nothing but empty lines', `Subject: x\r\n\r\n${'\r\n'.repeat(1_000_000)}`, 'no problem'],
    ['of nothing but dashes', `${nested(50)}\r\n${'--\r\n'.repeat(200_000)}`, 'no problem'],
    [
      'with base64 of nothing but padding',
      `Content-Transfer-Encoding: base64\r\n\r\n${'A='.repeat(500_000)}`,
      'no problem',
    ],
    ['with 500 messages in messages', `${'Content-Type: message/rfc822\r\n\r\n'.repeat(500)}x`, 'no problem'],
    [
      'with 500 kB of < as HTML beside text',
      `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nx\r\n--b\r\nContent-Type: text/html\r\n\r\n${'<a '.repeat(170_000)}`,
      'no problem',
    ],
  ])('%s is refused or bounded', (_, text, expected) => {
    expect(problemOf(Buffer.from(text, 'latin1'))).toBe(expected);
  });

  it('larger than the bound is rejected before it is parsed', () => {
    expect(problemOf(Buffer.alloc(MAIL_BOUNDS.bytes + 1))).toBe('tooLarge');
  });
});
