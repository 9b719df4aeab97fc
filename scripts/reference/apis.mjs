// docs/reference/openapi.md: the APIs of the jar and where their OpenAPI documents are.

import { apisOf } from '../../src/kernel/service/index.ts';
import { SERVICES } from '../../src/services.ts';
import { code, generatedPage, SERVICE_PAGES, tableOf } from './page.mjs';

const INTRODUCTION = `
A running jar describes every operation that it serves as OpenAPI 3.1, from the same declarations that validate requests and answers. Use it to generate clients, mocks or request collections.
Every answer of the test suite is checked against the declared schemas.

\`\`\`sh
curl -O -J http://localhost:7400/_jar/docs/openapi/events.json        # one API, as cloudjar-events.json
curl http://localhost:7400/_jar/openapi.json                          # all of them in one document
curl 'http://localhost:7400/_jar/openapi.json?service=events'         # the first document again, shown instead of downloaded
\`\`\`

The documents need no key. \`servers\` names the address by which the document was requested. For people there is a page per API, with a search and a curl example for each operation: \`http://localhost:7400/_jar/docs/api\`.
`;

/** APIs with a page, or a part of one, of their own. */
const PAGES_OF_APIS = /** @type {Readonly<Record<string, string>>} */ ({
  'event-publishing': 'events-publishing.md',
  'mail-pages': 'mail.md#mailbox-in-a-browser',
  'subscription-pages': 'subscriptions.md#ownership',
});

/** @param {string} path */
const linkTo = (path) => `[${code(path)}](http://localhost:7400${path})`;

export function openApiPage() {
  const apis = [
    ...SERVICES.flatMap((service) => apisOf(service).map((api) => ({ ...api, service: service.name }))),
    { name: 'control', title: 'Control API', service: 'control' },
  ];
  const rows = apis.map(({ name, title, service }) => {
    const page = PAGES_OF_APIS[name] ?? SERVICE_PAGES[service];
    const link = page === undefined ? '[Control API](control.md)' : `[${title}](../services/${page})`;
    return [link, linkTo(`/_jar/docs/openapi/${name}.json`), linkTo(`/_jar/docs/api/${name}`)];
  });
  return generatedPage({
    title: 'OpenAPI documents',
    source: 'the manifests of the services (src/services.ts)',
    introduction: INTRODUCTION,
    sections: [{ heading: 'Documents', text: tableOf(['API', 'document', 'page'], rows) }],
  });
}
