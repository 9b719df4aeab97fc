import { Type } from 'typebox';
import { API_PAGE, DOCS_SITE, html, ok, page, type Route } from '../kernel/http/index.ts';
import { apisOf, route, type ServiceApi } from '../kernel/service/index.ts';
import type { Controls } from './controls.ts';

const LINKS = {
  console: '/console/',
  docs: `${DOCS_SITE}/`,
  api: API_PAGE,
  openapi: '/_jar/openapi.json',
  health: '/_jar/health',
  ca: '/_jar/ca.pem',
} as const;
const HELP = `${DOCS_SITE}/ has the documentation; npx cloudjar --help lists the commands.`;

const View = Type.Object({
  name: Type.String(),
  version: Type.String(),
  services: Type.Array(Type.Object({ name: Type.String(), title: Type.String() })),
  links: Type.Record(Type.String(), Type.String()),
  help: Type.String(),
});

const STYLE = `
main { width: min(40rem, calc(100vw - 2rem)); }
a { color: var(--mark); }
ul { margin: 0 0 1rem; padding-left: 1.25rem; }
`;

/** The page at the jar's root address. It contains no secrets. */
export function landingRoute({ version, host }: Controls): Route {
  const apis = host.services.flatMap(apisOf);
  const facts = {
    name: 'cloudjar',
    version,
    services: apis.map(({ name, title }) => ({ name, title })),
    links: LINKS,
    help: HELP,
  };
  return route({
    method: 'GET',
    path: '/',
    operation: 'Jar_Landing',
    summary: 'What this is',
    open: true,
    responses: { 200: Type.Union([View, Type.String({ description: 'A page, for browsers' })]) },
    handle: ({ headers }) =>
      String(headers.accept ?? '').includes('text/html') ? landingPage(version, apis, pagesOf(host)) : ok(facts),
  });
}

/** Pages of services that are opened at the start, such as `/mail/`. */
const pagesOf = ({ announcements }: Controls['host']): readonly Link[] =>
  announcements.flatMap(({ name, page: address }) => (address === undefined ? [] : [{ name, address }]));

interface Link {
  readonly name: string;
  readonly address: string;
}

function landingPage(version: string, services: readonly ServiceApi[], pages: readonly Link[]) {
  const items = services.map(({ name, title }) => html`<li><a href="${`${API_PAGE}/${name}`}">${title}</a></li>`);
  const further = pages.map(({ name, address }) => html` · <a href="${address}">Page of ${name}</a>`);
  const content = html`<h1>Cloudjar ${version}</h1>
<p>A whole vendor cloud in a jar. It runs.</p>
<p><a href="${LINKS.console}">Console</a> · <a href="${LINKS.docs}">Documentation</a> · <a href="${LINKS.api}">API: every operation, with examples</a> · <a href="${LINKS.openapi}">OpenAPI document</a>${further} · <a href="${LINKS.health}">Health</a> · <a href="${LINKS.ca}">CA certificate</a></p>
<ul>${items}</ul>
<p>${HELP}</p>`;
  return page({ title: 'Start', content, style: STYLE });
}
