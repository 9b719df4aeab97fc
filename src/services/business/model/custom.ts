/** Custom APIs: the same model as the standard APIs, declared in the configuration. */
import type { Config } from '../../../kernel/config/index.ts';
import {
  type DeclaredApi,
  type DeclaredEntity,
  mistake,
  requireIdentifier,
  requireUnique,
  unknown,
} from './custom/declared.ts';
import { declaredNavigation, declaredPage } from './custom/pages.ts';
import { declaredTable } from './custom/tables.ts';
import { modelOf, STANDARD_APIS, standardModel } from './model.ts';
import { withTenantPages } from './pages/tenant.ts';
import { DERIVED_TABLES } from './tables/derived.ts';
import { ALL_TABLES } from './tables/index.ts';
import type { Api, Model, Page, Table } from './types.ts';
import { enumsOf } from './walk.ts';

/** The model of a jar: the standard APIs, and those that its configuration declares. Throws `ConfigError` for an invalid declaration. */
export function modelFor(config: Config): Model {
  const declared = (config.services.business?.customApis ?? []) as readonly DeclaredApi[];
  return declared.length === 0 ? standardModel : customModel(declared);
}

interface Declaration {
  readonly path: string;
  readonly api: DeclaredApi;
  readonly entities: readonly { readonly path: string; readonly entity: DeclaredEntity }[];
}

function customModel(declared: readonly DeclaredApi[]): Model {
  const declarations = declared.map((api, index): Declaration => {
    const path = `[${index}]`;
    return {
      path,
      api,
      entities: api.entities.map((entity, place) => ({ path: `${path}.entities[${place}]`, entity })),
    };
  });
  const tables = new Map(ALL_TABLES.map((table) => [table.name, table]));
  for (const table of ownTables(declarations)) tables.set(table.name, table);
  const routes = new Set<string>();
  const apis = declarations.map((declaration) => customApi(declaration, tables, routes));
  const model = modelOf([...STANDARD_APIS, ...apis], [...tables.values()]);
  for (const [index, api] of apis.entries()) requireDistinctTypes(`[${index}]`, model, api);
  return model;
}

/** Collected before any page, because an entity may show the table of another. */
function ownTables(declarations: readonly Declaration[]): readonly Table[] {
  const taken = new Set(ALL_TABLES.map(({ name }) => name.toLowerCase()));
  const tables: Table[] = [];
  const declaring: string[] = [];
  for (const { entities } of declarations) {
    for (const { path, entity } of entities) {
      if ((entity.table === undefined) === (entity.sourceTable === undefined)) {
        throw mistake(path, 'must have either "sourceTable" or "table"');
      }
      if (!entity.table) continue;
      const wanted = [...keyFieldsOf(entity), ...fieldsOfNavigationsTo(entity.entitySetName, entities)];
      const table = declaredTable(path, entity, wanted);
      requireUnique(`${path}.table`, table.name, taken, 'table');
      tables.push(table);
      declaring.push(path);
    }
  }
  const names = [...ALL_TABLES, ...tables].map(({ name }) => name);
  for (const [index, { partOf }] of tables.entries()) {
    if (!partOf || names.includes(partOf.table)) continue;
    throw unknown(`${declaring[index]}.table.partOf.table`, 'table', partOf.table, names);
  }
  return tables;
}

/** The fields of the key properties. */
const keyFieldsOf = ({ keyFields = [], properties = [] }: DeclaredEntity): readonly string[] =>
  keyFields.map((key) => {
    const shown = properties.find((property) => typeof property !== 'string' && property.name === key);
    return typeof shown === 'object' ? shown.field : key;
  });

const fieldsOfNavigationsTo = (set: string, entities: Declaration['entities']): readonly string[] =>
  entities.flatMap(({ entity }) =>
    (entity.navigations ?? [])
      .filter((navigation) => navigation.set.toLowerCase() === set.toLowerCase())
      .flatMap(({ on }) => Object.keys(on)),
  );

/** Reserved for the application's own routes, under either publisher name. */
const RESERVED = { publishers: ['vendor', 'microsoft'], group: 'runtime' } as const;

const VERSION = /^(v[0-9]{1,3}\.[0-9]{1,3}|beta)$/i;

/** Sets that every API has, or that are answered before entities. */
const RESERVED_SETS = ['companies', 'subscriptions', 'entityDefinitions', 'webhookSupportedResources'];
const RESERVED_ENTITIES = ['company', 'subscription'];

function routeOf({ path, api: { publisher, group, version } }: Declaration, taken: Set<string>): string {
  requireIdentifier(`${path}.publisher`, publisher);
  requireIdentifier(`${path}.group`, group);
  if (!VERSION.test(version)) throw mistake(`${path}.version`, `must be like "v1.0" or "beta", not "${version}"`);
  const isReserved = RESERVED.publishers.some((name) => name === publisher.toLowerCase());
  if (isReserved && group.toLowerCase() === RESERVED.group) {
    throw mistake(path, `cannot be "${publisher}/${group}", where the application itself answers`);
  }
  const route = `${publisher}/${group}/${version}`;
  requireUnique(path, route, taken, 'API');
  return route;
}

function customApi(declaration: Declaration, tables: ReadonlyMap<string, Table>, routes: Set<string>): Api {
  const route = routeOf(declaration, routes);
  const sets = new Set(RESERVED_SETS.map((set) => set.toLowerCase()));
  const names = new Set(RESERVED_ENTITIES);
  const targets = new Map<string, { readonly page: Page; readonly table: Table }>();
  for (const { path, entity } of declaration.entities) {
    requireIdentifier(`${path}.entityName`, entity.entityName);
    requireIdentifier(`${path}.entitySetName`, entity.entitySetName);
    requireUnique(`${path}.entityName`, entity.entityName, names, 'entity');
    requireUnique(`${path}.entitySetName`, entity.entitySetName, sets, 'set');
    const name = entity.sourceTable ?? entity.table?.name ?? entity.entityName;
    const table = tables.get(name);
    if (!table || Object.hasOwn(DERIVED_TABLES, name)) {
      throw unknown(`${path}.sourceTable`, 'table that keeps records', name, tables.keys());
    }
    targets.set(entity.entitySetName.toLowerCase(), { page: declaredPage(path, entity, table), table });
  }
  const pages = declaration.entities.map(({ path, entity }): Page => {
    const own = targets.get(entity.entitySetName.toLowerCase())!;
    const taken = new Set<string>();
    const navigations = (entity.navigations ?? []).map((navigation, index) => {
      const where = `${path}.navigations[${index}]`;
      requireUnique(`${where}.name`, navigation.name, taken, 'navigation');
      return declaredNavigation(where, navigation, own, targets);
    });
    return { ...own.page, navigations };
  });
  return { route, pages: withTenantPages(pages, { system: true }) };
}

/** Entities and enumerations share one namespace of types. */
function requireDistinctTypes(path: string, model: Model, api: Api): void {
  const entities = new Set(api.pages.map(({ entity }) => entity.toLowerCase()));
  for (const { name } of enumsOf(model, api.pages)) {
    if (entities.has(name.toLowerCase())) {
      throw mistake(path, `has an entity "${name}", which is also the name of an enumeration of its fields`);
    }
  }
}
