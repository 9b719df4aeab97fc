import type { MemoryProbe } from '../../support/memory-probe.ts';

const KEY = '0123456789abcdef0123456789abcdef';

/** A subscription key, which every request looks up in a cache. */
export const probe: MemoryProbe = {
  service: 'translator',
  async remember(bench) {
    const token = bench.jar.adminKey;
    await bench.call('PUT', '/_jar/translator/keys/probe', { token, body: { key: KEY } });
  },
  async look(bench) {
    const headers = { 'ocp-apim-subscription-key': KEY };
    const options = { token: null, headers, body: [{ Text: 'good morning' }] };
    return (await bench.call('POST', '/breaksentence?api-version=3.0', options)).status;
  },
};
