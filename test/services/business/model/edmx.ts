import { XMLParser } from 'fast-xml-parser';

/** One element: tag, attributes, children. */
interface Node {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Node[];
}

export interface EdmProperty {
  readonly name: string;
  readonly type: string;
  readonly maxLength: number | undefined;
  readonly nullable: boolean;
  readonly computed: boolean;
}

export interface EdmNavigation {
  readonly name: string;
  readonly type: string;
  readonly partner: string | undefined;
  readonly constraints: readonly (readonly [string, string])[];
}

export interface EdmEntityType {
  readonly name: string;
  readonly key: readonly string[];
  readonly properties: readonly EdmProperty[];
  readonly navigations: readonly EdmNavigation[];
  readonly actions: readonly string[];
}

export interface Edmx {
  readonly version: string | undefined;
  readonly namespace: string | undefined;
  readonly typeNames: readonly string[];
  readonly enums: ReadonlyMap<string, readonly string[]>;
  readonly complexTypes: ReadonlyMap<string, readonly EdmProperty[]>;
  readonly entityTypes: ReadonlyMap<string, EdmEntityType>;
  readonly sets: ReadonlyMap<string, EdmSet>;
}

export interface EdmSet {
  readonly name: string;
  readonly entityType: string;
  readonly bindings: ReadonlyMap<string, string>;
  /** Supported verbs among POST, PATCH and DELETE. */
  readonly writes: readonly string[];
}

type Raw = Readonly<Record<string, unknown>>;

function nodeOf(raw: Raw): Node {
  const tag = Object.keys(raw).find((name) => name !== ':@')!;
  return {
    tag,
    attributes: (raw[':@'] ?? {}) as Record<string, string>,
    children: Array.isArray(raw[tag]) ? raw[tag].map(nodeOf) : [],
  };
}

const all = (node: Node, tag: string): readonly Node[] => node.children.filter((child) => child.tag === tag);

const propertyOf = (node: Node): EdmProperty => ({
  name: node.attributes.Name!,
  type: node.attributes.Type!,
  maxLength: node.attributes.MaxLength === undefined ? undefined : Number(node.attributes.MaxLength),
  nullable: node.attributes.Nullable !== 'false',
  computed: all(node, 'Annotation').some(({ attributes }) => attributes.Term === 'Org.OData.Core.V1.Computed'),
});

const FORBIDDEN_BY: Readonly<Record<string, string>> = {
  'Org.OData.Capabilities.V1.InsertRestrictions': 'POST',
  'Org.OData.Capabilities.V1.UpdateRestrictions': 'PATCH',
  'Org.OData.Capabilities.V1.DeleteRestrictions': 'DELETE',
};

/** Reads `$metadata` with an independent XML parser. */
export function readEdmx(xml: string): Edmx {
  const parser = new XMLParser({ preserveOrder: true, ignoreAttributes: false, attributeNamePrefix: '' });
  const edmx = (parser.parse(xml, true) as Raw[]).map(nodeOf).find(({ tag }) => tag === 'edmx:Edmx')!;
  const schema = all(all(edmx, 'edmx:DataServices')[0]!, 'Schema')[0]!;
  const namespace = schema.attributes.Namespace;
  const container = all(schema, 'EntityContainer')[0]!;
  const named = <T>(tag: string, read: (node: Node) => T): ReadonlyMap<string, T> =>
    new Map(all(schema, tag).map((node) => [node.attributes.Name!, read(node)]));
  const actions = all(schema, 'Action').map((action) => ({
    name: action.attributes.Name!,
    on: all(action, 'Parameter')[0]!.attributes.Type,
  }));
  return {
    version: edmx.attributes.Version,
    namespace,
    typeNames: schema.children
      .filter(({ tag }) => tag.endsWith('Type') || tag === 'EntityContainer')
      .map(({ attributes }) => attributes.Name!),
    enums: named('EnumType', (node) => all(node, 'Member').map(({ attributes }) => attributes.Name!)),
    complexTypes: named('ComplexType', (node) => all(node, 'Property').map(propertyOf)),
    entityTypes: named('EntityType', (node) => ({
      name: node.attributes.Name!,
      key: all(node, 'Key')
        .flatMap((key) => all(key, 'PropertyRef'))
        .map(({ attributes }) => attributes.Name!),
      properties: all(node, 'Property').map(propertyOf),
      navigations: all(node, 'NavigationProperty').map((navigation) => ({
        name: navigation.attributes.Name!,
        type: navigation.attributes.Type!,
        partner: navigation.attributes.Partner,
        constraints: all(navigation, 'ReferentialConstraint').map(
          ({ attributes }) => [attributes.Property!, attributes.ReferencedProperty!] as const,
        ),
      })),
      actions: actions.filter(({ on }) => on === `${namespace}.${node.attributes.Name}`).map(({ name }) => name),
    })),
    sets: new Map(
      all(container, 'EntitySet').map((set) => {
        const forbidden = all(set, 'Annotation').map(({ attributes }) => FORBIDDEN_BY[attributes.Term!]);
        return [
          set.attributes.Name!,
          {
            name: set.attributes.Name!,
            entityType: set.attributes.EntityType!.slice(`${namespace}.`.length),
            bindings: new Map(
              all(set, 'NavigationPropertyBinding').map(({ attributes }) => [attributes.Path!, attributes.Target!]),
            ),
            writes: ['POST', 'PATCH', 'DELETE'].filter((verb) => !forbidden.includes(verb)),
          },
        ];
      }),
    ),
  };
}
