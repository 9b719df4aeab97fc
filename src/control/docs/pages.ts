import { type Answer, API_PAGE, type Html, html, page } from '../../kernel/http/index.ts';
import type { Catalog, CatalogApi } from './catalog.ts';
import { curlOf } from './curl.ts';
import { DOCS_SCRIPT, DOCS_STYLE } from './look.ts';
import { type BodyRow, type OperationRow, operationRows, type ParameterRow } from './operations.ts';

/** The API pages, rendered on the server: they work without the script, which only searches and copies. */

const look = { style: DOCS_STYLE, script: DOCS_SCRIPT };

const FIND = html`<div id="find" hidden><label>Find an operation <input type="search" autocomplete="off" spellcheck="false" placeholder="a word of its path, name or summary ( / )"></label><p role="status"></p></div>`;

export function indexPage({ apis }: Catalog, version: string): Answer {
  const sections = apis.map((api) => {
    const rows = operationRows(api);
    const address = `${API_PAGE}/${api.name}`;
    return html`<details class="group"><summary><a href="${address}">${api.title}</a> ${String(rows.length)} operations</summary>
<ul>${rows.map((row) => entry(row, address))}</ul></details>
`;
  });
  const content = html`<h1>API of Cloudjar ${version}</h1>
<p>Every operation that this jar serves. As a document for generators: <a href="/_jar/openapi.json">openapi.json</a>, or one API with <code>?service=</code>. <a href="/">Start page</a></p>
${FIND}${sections}`;
  return page({ title: 'API', content, ...look });
}

const entry = (row: OperationRow, address: string): Html =>
  html`<li class="op"><a href="${`${address}#${row.id}`}">${head(row)}</a></li>
`;

/** `origin` is the jar's address in the examples. */
export function apiPage(api: CatalogApi, origin: string): Answer {
  const rows = operationRows(api);
  const groups = Map.groupBy(rows, ({ group }) => group);
  const sections = [...groups].map(
    ([name, operations]) => html`<section class="group"><h2>${name}</h2>
${operations.map((row) => operationEntry(row, api, origin))}</section>
`,
  );
  const content = html`<h1>${api.title}</h1>
<p>${String(rows.length)} operations. <a href="${API_PAGE}">All APIs</a> · <a href="${`/_jar/openapi.json?service=${api.name}`}">OpenAPI document of this one</a></p>
${versions(api)}${FIND}${sections}`;
  return page({ title: api.title, content, ...look });
}

function versions({ resourceTypes }: CatalogApi): Html | false {
  if (resourceTypes.length === 0) return false;
  const rows = resourceTypes.map(
    ({ type, apiVersions }) => html`<tr><td><code>${type}</code></td><td>${apiVersions.join(', ')}</td></tr>`,
  );
  return html`<details><summary>Resource types and their api-versions</summary><table>${rows}</table></details>`;
}

const head = ({ method, path, summary }: OperationRow): Html =>
  html`<b class="method" data-method="${method}">${method}</b> <code>${path}</code> <span>${summary}</span>`;

/** The id is inside the collapsible element, so that browsers open it for an anchor even without the script. */
function operationEntry(row: OperationRow, api: CatalogApi, origin: string): Html {
  return html`<details class="op"><summary>${head(row)}</summary>
<div id="${row.id}"><p><a href="${`#${row.id}`}">${row.id}</a>${credentialsText(row)}</p>
${parameters(row.parameters)}${row.body && html`<h3>Body</h3>${body(row.body)}`}${row.answers.length > 0 && html`<h3>Answers</h3>${row.answers.map(body)}`}
<h3>Example</h3><div><pre>${curlOf(row, api, origin)}</pre><button type="button" class="copy">Copy</button></div></div></details>
`;
}

function credentialsText({ credentials }: OperationRow): string {
  return credentials.length === 0 ? ' · open to everybody' : ` · needs ${credentials.join(' or ')}`;
}

function parameters(rows: readonly ParameterRow[]): Html | false {
  if (rows.length === 0) return false;
  const cells = rows.map(
    (row) =>
      html`<tr><td><code>${row.name}</code></td><td>${row.in}${row.required && ', required'}</td><td>${row.type}</td><td>${row.about}</td></tr>`,
  );
  return html`<h3>Parameters</h3><table>${cells}</table>`;
}

function body({ status, about, type, schema }: BodyRow): Html {
  const text = [status === 'default' ? 'any other error' : status, about, type]
    .filter((part) => part !== '')
    .join(' · ');
  if (schema === undefined) return html`<p>${text}</p>`;
  return html`<details><summary>${text}</summary><pre>${schema}</pre></details>`;
}
