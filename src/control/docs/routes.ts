import { Type } from 'typebox';
import { suggestion } from '../../kernel/config/index.ts';
import { type Answer, API_PAGE, DOCS_SITE, ok, type Route } from '../../kernel/http/index.ts';
import { type Call, route, type ServiceApi } from '../../kernel/service/index.ts';
import type { Controls } from '../controls.ts';
import { controlErrors } from '../family.ts';
import { type Catalog, type CatalogApi, openCatalog } from './catalog.ts';
import { operationListRoute } from './operation-list.ts';
import { apiPage, indexPage } from './pages.ts';
import { operationIn, pathIn } from './part.ts';
import { openSite } from './site.ts';

/** Placeholder in cached pages for the address by which a caller reaches the jar. */
const ORIGIN = 'http://address.of.the.jar.invalid';

/** The API description, as an OpenAPI document and as pages. Public, like the landing page: see `catalog.ts`. */
export function docsRoutes(
  controls: Controls,
  control: () => ServiceApi & { readonly routes: readonly Route[] },
): readonly Route[] {
  const catalog = openCatalog(controls, control);
  let site: ReturnType<typeof openSite> | undefined;
  const siteFile = async (path: string, { headers }: Pick<Call, 'headers'>): Promise<Answer> => {
    site ??= openSite();
    const found = await site.file(path, headers['accept-encoding']);
    if (found) return found;
    const missing = await site.file('404.html');
    if (missing) return { ...missing, status: 404 };
    throw controlErrors.DocsNotBuilt();
  };
  /** The links of a page are relative, so each page has one address: with a slash at the end for the first page only. */
  const moved = (to: string, query: string | undefined): Answer => ({
    status: 301,
    headers: { location: query === undefined ? to : `${to}?${query}` },
  });
  /** Rendered pages by API, cached because anonymous callers may request them. */
  const pages = new Map<string, Promise<Answer>>();
  const kept = (name: string, make: () => Promise<Answer>): Promise<Answer> => {
    const made = pages.get(name) ?? make();
    pages.set(name, made);
    // A failure is not cached.
    made.catch(() => pages.delete(name));
    return made;
  };
  return [
    route({
      method: 'GET',
      path: '/_jar/openapi.json',
      operation: 'Jar_OpenApi',
      summary: 'The OpenAPI 3.1 document of every service and of the control API, of one of them, or of one operation',
      open: true,
      query: Type.Object({
        service: Type.Optional(Type.String({ description: 'The name of one API' })),
        operation: Type.Optional(Type.String({ description: 'The operationId of one operation' })),
        path: Type.Optional(Type.String({ description: 'A path, to get the operations that requests to it reach' })),
      }),
      responses: { 200: Type.Object({ openapi: Type.String() }, { additionalProperties: true }) },
      async handle({ jar, query: { service, operation, path }, origin }) {
        const all = await catalog();
        const { document } = service === undefined ? all : apiOf(all, service);
        const narrowed = operation === undefined ? document : operationIn(document, operation);
        const part = path === undefined ? narrowed : pathIn(narrowed, path, jar.config.namespace);
        return ok({ ...part, servers: [{ url: origin }] });
      },
    }),
    operationListRoute(catalog),
    route({
      method: 'GET',
      path: DOCS_SITE,
      operation: 'Jar_Docs',
      summary: 'The documentation: guides, services, reference',
      open: true,
      produces: 'text/html',
      responses: { 200: 'HTML', 301: 'The same address with a slash at the end, on which the links of the page rely' },
      handle(call) {
        const [path = '', query] = call.url.split('?', 2);
        if (path.endsWith('/')) return siteFile('', call);
        return moved(`${DOCS_SITE}/`, query);
      },
    }),
    route({
      method: 'GET',
      path: `${DOCS_SITE}/{file*}`,
      operation: 'Jar_DocsFile',
      summary: 'A page of the documentation, or a file that a page needs',
      open: true,
      produces: 'text/html',
      responses: { 200: 'The file', 301: 'The address without a slash at the end', 404: 'There is no such page' },
      handle(call) {
        const [path = '', query] = call.url.split('?', 2);
        return path.endsWith('/') ? moved(path.replace(/\/+$/, ''), query) : siteFile(call.params.file, call);
      },
    }),
    route({
      method: 'GET',
      path: `${DOCS_SITE}/openapi/{document}`,
      operation: 'Jar_OpenApiFile',
      summary: 'The OpenAPI 3.1 document of one API as a file to download: events.json',
      open: true,
      responses: { 200: Type.Object({ openapi: Type.String() }, { additionalProperties: true }) },
      async handle({ params, origin }) {
        const { name, document } = apiOf(await catalog(), params.document.replace(/\.json$/, ''));
        return ok(
          { ...document, servers: [{ url: origin }] },
          { 'content-disposition': `attachment; filename="cloudjar-${name}.json"` },
        );
      },
    }),
    route({
      method: 'GET',
      path: API_PAGE,
      operation: 'Jar_ApiPage',
      summary: 'A page with every operation of the jar',
      open: true,
      produces: 'text/html',
      responses: { 200: 'HTML' },
      handle: () => kept('', async () => indexPage(await catalog(), controls.version)),
    }),
    route({
      method: 'GET',
      path: `${API_PAGE}/{service}`,
      operation: 'Jar_ApiPageOfService',
      summary: 'A page with the operations of one API: parameters, bodies, answers and examples',
      open: true,
      produces: 'text/html',
      responses: { 200: 'HTML' },
      async handle({ params, origin }) {
        const api = apiOf(await catalog(), params.service);
        const answer = await kept(api.name, async () => apiPage(api, ORIGIN));
        return { ...answer, body: String(answer.body).replaceAll(ORIGIN, origin) };
      },
    }),
  ];
}

function apiOf({ apis }: Catalog, name: string): CatalogApi {
  const found = apis.find((api) => api.name === name.toLowerCase());
  if (found) return found;
  const names = apis.map((api) => api.name);
  const known = `${suggestion(name, names)}; there are ${names.join(', ')}`;
  throw controlErrors.UnknownApi({ name: name.slice(0, 100), known }, { target: 'service' });
}
