import type { MemoryProbe } from '../../support/memory-probe.ts';
import { by, control, good, person } from './support.ts';

/** The token that `remember` was given; before that one that nobody has. */
let secret = `dapi${'0'.repeat(32)}`;

/** Who callers are, their tokens, addresses that may call, limits that were changed. */
export const probe: MemoryProbe = {
  service: 'platform',
  async remember(bench) {
    const ask = await person(bench);
    const made = await good(ask('POST', '/token/create', { comment: 'remembered' }));
    secret = made.token_value;
    await good(by(bench, secret)('GET', '/preview/scim/v2/Me'));
    await control(bench, 'PATCH', 'limits', { name: 'platform.query-snippets', limit: 7 });
    await good(ask('POST', '/preview/sql/query_snippets', { trigger: 'kept', snippet: 'SELECT' }));
    await good(ask('POST', '/ip-access-lists', { label: 'all', list_type: 'ALLOW', ip_addresses: ['127.0.0.0/8'] }));
    await good(ask('PATCH', '/workspace-conf', { enableIpAccessLists: 'true' }));
  },
  async look(bench) {
    const ask = await person(bench);
    const limits = await control(bench, 'GET', 'limits?name=platform.query-snippets');
    return {
      token: (await by(bench, secret)('GET', '/preview/scim/v2/Me')).status,
      snippets: (await good(ask('GET', '/preview/sql/query_snippets'))).length,
      conf: await good(ask('GET', '/workspace-conf?keys=enableIpAccessLists')),
      limit: limits.body.value[0].inForce.limit,
      groups: (await good(ask('GET', '/preview/scim/v2/Me'))).groups
        .map(({ display }: { display: string }) => display)
        .sort(),
    };
  },
};
