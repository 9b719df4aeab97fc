import { describe, expect, it } from 'vitest';
import { receivedHeader } from '../../../../src/services/mail/smtp/received-header.ts';

const MAIL = {
  id: 'abc123',
  helo: 'client.test',
  remoteAddress: '192.0.2.7',
  isExtended: true,
  isSecure: false,
  smtpUtf8: false,
};
const AT = Date.UTC(2026, 10, 2, 9, 5, 7);

describe('the Received header', () => {
  it('names client, server, protocol and time', () => {
    expect(receivedHeader({ mail: MAIL, by: 'mx.jar.test', at: AT })).toBe(
      'Received: from client.test ([192.0.2.7])\r\n\tby mx.jar.test with ESMTP id abc123;\r\n\tMon, 02 Nov 2026 09:05:07 +0000\r\n',
    );
  });

  it.each([
    [{ isExtended: false }, 'SMTP'],
    [{ isSecure: true }, 'ESMTPS'],
    [{ smtpUtf8: true }, 'UTF8SMTP'],
    [{ smtpUtf8: true, isSecure: true }, 'UTF8SMTPS'],
  ])('names the protocol of %j', (how, protocol) => {
    expect(receivedHeader({ mail: { ...MAIL, ...how }, by: 'mx', at: AT })).toContain(` with ${protocol} id `);
  });

  it('is one header for any client name', () => {
    const helo = 'a)\r\nBcc: x;(';
    const header = receivedHeader({ mail: { ...MAIL, helo, remoteAddress: '2001:db8::1' }, by: 'mx', at: AT });
    expect(header).toContain('from a???Bcc:?x?? ([IPv6:2001:db8::1])');
    expect(header.match(/\r\n/g)).toHaveLength(3);
  });
});
