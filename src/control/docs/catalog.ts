import type { CoveredOperation, Route } from '../../kernel/http/index.ts';
import { type DescribedApi, type OpenApiDocument, openapi, partOf } from '../../kernel/openapi/index.ts';
import { apisOf, controlRoutesOf, type Opened, type ServiceApi } from '../../kernel/service/index.ts';
import type { Controls } from '../controls.ts';

/** An API of the jar, as shown on its page. */
export interface CatalogApi {
  readonly name: string;
  readonly title: string;
  readonly document: OpenApiDocument;
  /** The operations behind routes that accept any path. */
  readonly covered: readonly CoveredOperation[];
  /** `Vendor.ContainerInstance/containerGroups`, with its api-versions, newest first. */
  readonly resourceTypes: readonly { readonly type: string; readonly apiVersions: readonly string[] }[];
}

export interface Catalog {
  readonly document: OpenApiDocument;
  readonly apis: readonly CatalogApi[];
}

/**
 * All APIs of the jar. The catalogue is public: it contains only the routes of the product and nothing that the owner configured or stored,
 * such as APIs that an owner declares for the business application. Built on the first request and cached, because it cannot change while
 * the jar runs and anonymous callers may request it.
 */
export function openCatalog(
  controls: Controls,
  control: () => ServiceApi & { readonly routes: readonly Route[] },
): () => Promise<Catalog> {
  let made: Promise<Catalog> | undefined;
  return () => {
    made ??= makeCatalog(controls, control()).catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

async function makeCatalog(
  { host, version }: Controls,
  { routes, ...control }: ServiceApi & { readonly routes: readonly Route[] },
): Promise<Catalog> {
  const opened = await host.openAll();
  // Routes that services add to the control API are listed under the control API.
  const added = opened.flatMap(({ parts }) => controlRoutesOf(parts));
  const apis = [...opened.flatMap(describedApis), { ...control, routes: [...routes, ...added] }];
  const document = openapi({ apis, version, serverUrl: '' });
  const typesOf = (name: string) => host.services.find((service) => service.name === name)?.resourceTypes ?? [];
  return {
    document,
    apis: apis
      .map((api) => ({
        name: api.name,
        title: api.title,
        document: partOf(document, api.name),
        covered: api.routes.flatMap((route) => route.covers?.() ?? []).filter(({ isAlias }) => !isAlias),
        resourceTypes: typesOf(api.name),
      }))
      .filter((api) => Object.keys(api.document.paths).length > 0),
  };
}

const describedApis = ({ service, parts }: Opened): DescribedApi[] =>
  apisOf(service).map(({ name, title, family }) => {
    const { routes = [] } = name === service.name ? parts : (parts.apis?.[name] ?? {});
    return { name, title, family, routes };
  });
