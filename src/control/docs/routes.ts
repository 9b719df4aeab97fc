import { Type } from 'typebox';
import { suggestion } from '../../kernel/config/index.ts';
import { type Answer, API_PAGE, ok, type Route } from '../../kernel/http/index.ts';
import { route, type ServiceApi } from '../../kernel/service/index.ts';
import type { Controls } from '../controls.ts';
import { controlErrors } from '../family.ts';
import { type Catalog, type CatalogApi, openCatalog } from './catalog.ts';
import { apiPage, indexPage } from './pages.ts';

/** Placeholder in cached pages for the address by which a caller reaches the jar. */
const ORIGIN = 'http://address.of.the.jar.invalid';

/** The API description, as an OpenAPI document and as pages. Public, like the landing page: see `catalog.ts`. */
export function docsRoutes(
  controls: Controls,
  control: () => ServiceApi & { readonly routes: readonly Route[] },
): readonly Route[] {
  const catalog = openCatalog(controls, control);
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
      summary: 'The OpenAPI 3.1 document of every service and of the control API, or of one of them',
      open: true,
      query: Type.Object({ service: Type.Optional(Type.String({ description: 'The name of one API' })) }),
      responses: { 200: Type.Object({ openapi: Type.String() }, { additionalProperties: true }) },
      async handle({ query, origin }) {
        const all = await catalog();
        const { document } = query.service === undefined ? all : apiOf(all, query.service);
        return ok({ ...document, servers: [{ url: origin }] });
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
