import type { Case } from '../lib/case.ts';
import { CONNECTIONS, compareLoad } from '../lib/compare-load.ts';
import { makeDocuments } from '../lib/documents.ts';

export const get: Case = {
  name: 'get',
  summary: `Requests answered per second on ${CONNECTIONS} connections: GET of one stored document; in the jar a resource group, with a bearer token.`,
  async run(context) {
    const measured = await compareLoad(context, async (jar, bare) => {
      const { group, plain } = await makeDocuments(jar, bare);
      return { bare: () => ({ ...plain, method: 'GET' }), jar: () => ({ ...group, method: 'GET' }) };
    });
    return [{ title: 'GET of a document', unit: 'requests/s', target: { atLeast: 0.7 }, ...measured }];
  },
};
