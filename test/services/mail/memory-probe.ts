import type { MemoryProbe } from '../../support/memory-probe.ts';

/** Run-time settings, and the mailbox, which the first request creates and caches. */
export const probe: MemoryProbe = {
  service: 'mail',
  async remember(bench) {
    const options = { token: bench.jar.adminKey, body: { uploadSessionLifetime: '2h' } };
    await bench.call('PATCH', '/_jar/mail/settings', options);
    await bench.call('POST', '/v1.0/me/messages', { body: { subject: 'Remembered' } });
    await bench.call('PATCH', '/v1.0/me/mailboxSettings', { body: { timeZone: 'Europe/Berlin' } });
  },
  async look(bench) {
    const { settings } = (await bench.call('GET', '/_jar/mail/settings', { token: bench.jar.adminKey })).body;
    const { value } = (await bench.call('GET', '/v1.0/me/messages?$select=subject')).body;
    const { timeZone } = (await bench.call('GET', '/v1.0/me/mailboxSettings')).body;
    return { settings, subjects: value.map(({ subject }: { subject: string }) => subject), timeZone };
  },
};
