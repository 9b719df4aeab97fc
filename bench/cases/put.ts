import type { Case } from '../lib/case.ts';
import { CONNECTIONS, compareLoad } from '../lib/compare-load.ts';
import { GROUP_BODY, groupAddresses } from '../lib/documents.ts';

/** More than a round can write, so that no two rounds use the same name. */
const NAMES_PER_ROUND = 1_000_000;

export const put: Case = {
  name: 'put',
  summary: `Requests answered per second on ${CONNECTIONS} connections: PUT of a new document each time, on disk before it is answered; in the jar a resource group with its change record.`,
  async run(context) {
    const body = JSON.stringify(GROUP_BODY);
    const json = { 'content-type': 'application/json' };
    const measured = await compareLoad(context, async (jar, bare) => {
      await jar.changeLimits({ name: 'management.resource-groups', mode: 'unlimited' });
      const groups = await groupAddresses(jar);
      const headers = { ...json, authorization: `Bearer ${groups.token}` };
      const load = (url: string, numbered: string, headers: Record<string, string>) => (round: number) =>
        ({ url, method: 'PUT', headers, body, numbered, from: round * NAMES_PER_ROUND }) as const;
      return {
        bare: load(bare.url, '/docs/group-{n}', json),
        jar: load(jar.url, groups.of('group-{n}'), headers),
      };
    });
    return [{ title: 'PUT of a new document', unit: 'requests/s', target: { atLeast: 0.6 }, ...measured }];
  },
};
