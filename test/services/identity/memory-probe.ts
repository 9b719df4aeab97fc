import type { MemoryProbe } from '../../support/memory-probe.ts';

const ID = '30000000-0000-4000-8000-0000000000aa';
const APPLICATION = `/_jar/applications/${ID}`;

/** An application, which the directory keeps in the store's cache. */
export const probe: MemoryProbe = {
  service: 'identity',
  async remember(bench) {
    const token = bench.jar.adminKey;
    await bench.call('PUT', APPLICATION, { token, body: { displayName: 'Probe', secret: 'probe-secret' } });
  },
  async look(bench) {
    const { body } = await bench.call('GET', APPLICATION, { token: bench.jar.adminKey });
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: ID,
      client_secret: 'probe-secret',
      scope: 'https://management.azure.com/.default',
    });
    const reply = await fetch(`${bench.jar.url}/common/oauth2/v2.0/token`, { method: 'POST', body: form });
    return [reply.status, body.displayName ?? 'none'];
  },
};
