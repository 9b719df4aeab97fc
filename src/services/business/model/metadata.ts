/** `$metadata`: an API in the Common Schema Definition Language, as XML. */
import { EDM_NAMES } from './edm-names.ts';
import { wireMember } from './enum-text.ts';
import { navigationProperty } from './metadata-navigations.ts';
import { CONTAINER, NAMESPACE } from './namespace.ts';
import type { Api, EnumType, Field, FieldProperty, Model, Page, PageProperty } from './types.ts';
import { enumsOf, fieldOf } from './walk.ts';
import { type Attributes, element } from './xml.ts';

/** Vocabularies of the annotations. */
const VOCABULARIES = ['Core', 'Capabilities'].map((name) => ({
  namespace: `Org.OData.${name}.V1`,
  uri: `https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.${name}.V1.xml`,
}));

const COMPUTED = element('Annotation', { Term: 'Org.OData.Core.V1.Computed', Bool: true });

const documents = new WeakMap<Api, string>();

/** Cached per API: code generators request it repeatedly. */
export function metadataDocument(model: Model, api: Api): string {
  const known = documents.get(api);
  if (known !== undefined) return known;
  const document = writeDocument(model, api);
  documents.set(api, document);
  return document;
}

function writeDocument(model: Model, api: Api): string {
  const schema = element('Schema', { Namespace: NAMESPACE, xmlns: 'http://docs.oasis-open.org/odata/ns/edm' }, [
    ...enumsOf(model, api.pages).map(enumType),
    ...complexTypes(model, api),
    ...api.pages.map((page) => entityType(model, api, page)),
    ...api.pages.flatMap(({ entity, actions }) => actions.map((action) => boundAction(entity, action))),
    element('EntityContainer', { Name: CONTAINER }, api.pages.map(entitySet)),
  ]);
  const references = VOCABULARIES.map(({ namespace, uri }) =>
    element('edmx:Reference', { Uri: uri }, [element('edmx:Include', { Namespace: namespace })]),
  );
  const document = element('edmx:Edmx', { Version: '4.0', 'xmlns:edmx': 'http://docs.oasis-open.org/odata/ns/edmx' }, [
    ...references,
    element('edmx:DataServices', {}, [schema]),
  ]);
  return `<?xml version="1.0" encoding="utf-8"?>${document}`;
}

const enumType = ({ name, members }: EnumType): string =>
  element(
    'EnumType',
    { Name: name },
    members.map((member, value) => element('Member', { Name: wireMember(member), Value: value })),
  );

/** Complex types, each once however many pages use it. */
function complexTypes(model: Model, api: Api): readonly string[] {
  const types = new Map<string, readonly string[]>();
  for (const page of api.pages) {
    for (const shown of page.properties) {
      if (shown.kind === 'complex' && !types.has(shown.typeName)) {
        types.set(
          shown.typeName,
          shown.parts.map((part) => fieldProperty(model, page, part)),
        );
      }
    }
    for (const { typeName, navigation, properties } of page.embedded ?? []) {
      if (types.has(typeName)) continue;
      const target = model.page(api, page.navigations.find(({ name }) => name === navigation)!.set)!;
      types.set(
        typeName,
        target.properties
          .filter(({ name }) => properties.includes(name))
          .map((shown) => property(model, target, shown)),
      );
    }
  }
  return [...types].map(([name, properties]) => element('ComplexType', { Name: name }, properties));
}

function entityType(model: Model, api: Api, page: Page): string {
  const keys = page.keyFields ?? [page.properties[0]!.name];
  const key = element(
    'Key',
    {},
    keys.map((name) => element('PropertyRef', { Name: name })),
  );
  return element('EntityType', { Name: page.entity }, [
    ...(keys.length === 0 ? [] : [key]),
    ...page.properties.map((shown) => property(model, page, shown, keys.includes(shown.name))),
    ...(page.embedded ?? []).map(({ name, typeName }) =>
      element('Property', { Name: name, Type: `Collection(${NAMESPACE}.${typeName})` }, [COMPUTED]),
    ),
    ...page.navigations.map((navigation) => navigationProperty(model, api, page, navigation)),
  ]);
}

function property(model: Model, page: Page, shown: PageProperty, isKey = false): string {
  switch (shown.kind) {
    case 'field':
      return fieldProperty(model, page, shown, isKey);
    case 'complex':
      return element('Property', { Name: shown.name, Type: `${NAMESPACE}.${shown.typeName}` });
    case 'computed':
      return written(shown.name, { type: shown.type, maxLength: shown.maxLength, readOnly: true }, { isKey });
  }
}

function fieldProperty(model: Model, page: Page, shown: FieldProperty, isKey = false): string {
  const field = fieldOf(model, page, shown.field);
  return written(shown.name, shown.readOnly ? { ...field, readOnly: true } : field, {
    isKey,
    asString: shown.asString ?? false,
  });
}

interface Shape {
  readonly isKey: boolean;
  readonly asString?: boolean;
}

/** Values are never null, but clients may omit every property except the key; the service generates a missing key. */
function written(name: string, field: Field, { isKey, asString = false }: Shape): string {
  const { type, maxLength, readOnly } = field;
  const attributes: Attributes = {
    Name: name,
    Type: edmType(type, asString),
    Nullable: isKey ? false : undefined,
    MaxLength: maxLength,
    Scale: type === 'decimal' ? 'Variable' : undefined,
  };
  return element('Property', attributes, readOnly ? [COMPUTED] : []);
}

function edmType(type: Field['type'], asString: boolean): string {
  if (typeof type === 'string') return EDM_NAMES[type];
  return asString ? EDM_NAMES.string : `${NAMESPACE}.${type.name}`;
}

const boundAction = (entity: string, name: string): string =>
  element('Action', { Name: name, IsBound: true }, [
    element('Parameter', { Name: 'bindingParameter', Type: `${NAMESPACE}.${entity}` }),
  ]);

/** The capabilities vocabulary declares the verbs that a set does not support. */
const RESTRICTIONS = [
  { verb: 'POST', term: 'InsertRestrictions', property: 'Insertable' },
  { verb: 'PATCH', term: 'UpdateRestrictions', property: 'Updatable' },
  { verb: 'DELETE', term: 'DeleteRestrictions', property: 'Deletable' },
] as const;

const entitySet = ({ set, entity, navigations, verbs }: Page): string =>
  element('EntitySet', { Name: set, EntityType: `${NAMESPACE}.${entity}` }, [
    ...navigations.map(({ name, set: target }) => element('NavigationPropertyBinding', { Path: name, Target: target })),
    ...RESTRICTIONS.filter(({ verb }) => !verbs.includes(verb)).map(({ term, property: name }) =>
      element('Annotation', { Term: `Org.OData.Capabilities.V1.${term}` }, [
        element('Record', {}, [element('PropertyValue', { Property: name, Bool: false })]),
      ]),
    ),
  ]);
