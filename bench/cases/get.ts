import type { Case } from '../lib/case.ts';
import { CONNECTIONS, compareLoad } from '../lib/compare-load.ts';
import { makeDocuments, makeStatusDocuments } from '../lib/documents.ts';

export const get: Case = {
  name: 'get',
  summary: `Requests answered per second on ${CONNECTIONS} connections: GET of one stored document, in the jar with a bearer token. The jar keeps hot documents of the management API in memory, in front of the database.`,
  async run(context) {
    const group = await compareLoad(context, async (jar, bare) => {
      const documents = await makeDocuments(jar, bare);
      return {
        bare: () => ({ ...documents.plain, method: 'GET' }),
        jar: () => ({ ...documents.group, method: 'GET' }),
      };
    });
    const status = await compareLoad(context, async (jar, bare) => {
      const documents = await makeStatusDocuments(jar, bare);
      return {
        bare: () => ({ ...documents.plain, method: 'GET' }),
        jar: () => ({ ...documents.status, method: 'GET' }),
      };
    });
    return [
      { title: 'GET of a resource group', unit: 'requests/s', target: { atLeast: 0.7 }, ...group },
      { title: 'GET of the status of an operation', unit: 'requests/s', ...status },
    ];
  },
};
