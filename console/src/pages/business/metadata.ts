/** What `$metadata` says about an API, as far as the page needs it. The document of the jar has one form only, so that patterns are enough. */

export interface Property {
  readonly name: string;
  /** `Edm.String`, or the name of an enumeration. */
  readonly type: string;
  readonly maxLength?: number;
  /** The application computes it: clients cannot write it. */
  readonly isComputed: boolean;
  /** Of an enumeration, as on the wire. */
  readonly members?: readonly string[];
}

export interface Related {
  readonly name: string;
  readonly entity: string;
}

export interface EntitySet {
  readonly entity: string;
  readonly name: string;
  readonly key: string;
  readonly properties: readonly Property[];
  /** Sets of records that belong to a record, such as the lines of an invoice. */
  readonly related: readonly Related[];
  /** Bound actions, such as `post` of an invoice. */
  readonly actions: readonly string[];
  readonly canInsert: boolean;
  readonly canUpdate: boolean;
  readonly canDelete: boolean;
}

export interface ApiModel {
  readonly sets: ReadonlyMap<string, EntitySet>;
}

/** Sets without a company, or which other pages show. */
const LEFT_OUT = new Set(['companies', 'subscriptions', 'entityDefinitions']);

export function modelOf(metadata: string): ApiModel {
  const enums = new Map(
    all(metadata, /<EnumType Name="([^"]+)">(.*?)<\/EnumType>/gs).map(([name = '', members = '']) => [
      name,
      all(members, /<Member Name="([^"]+)"/g).map(([member = '']) => member),
    ]),
  );
  const entities = new Map(
    all(metadata, /<EntityType Name="([^"]+)"[^>]*>(.*?)<\/EntityType>/gs).map(([name = '', body = '']) => [
      name,
      body,
    ]),
  );
  const actions = all(metadata, /<Action Name="([^"]+)" IsBound="true"[^>]*>(.*?)<\/Action>/gs);
  const sets = all(metadata, /<EntitySet Name="([^"]+)" EntityType="[^"]*?([^".]+)"(?:\/>|>(.*?)<\/EntitySet>)/gs);
  return {
    sets: new Map(
      sets
        .filter(([name = '']) => !LEFT_OUT.has(name))
        .map(([name = '', entity = '', body = '']) => [
          name,
          {
            name,
            entity,
            key: /<PropertyRef Name="([^"]+)"/.exec(entities.get(entity) ?? '')?.[1] ?? 'id',
            properties: propertiesOf(entities.get(entity) ?? '', enums),
            related: all(
              entities.get(entity) ?? '',
              /<NavigationProperty Name="([^"]+)" Type="Collection\([^")]*?([^".)]+)\)"/g,
            ).map(([navigation = '', target = '']) => ({ name: navigation, entity: target })),
            actions: actions
              .filter(([, parameters = '']) => new RegExp(`Type="[^"]*\\.${entity}"`).test(parameters))
              .map(([action = '']) => action),
            canInsert: !body.includes('Property="Insertable" Bool="false"'),
            canUpdate: !body.includes('Property="Updatable" Bool="false"'),
            canDelete: !body.includes('Property="Deletable" Bool="false"'),
          },
        ]),
    ),
  };
}

function propertiesOf(entity: string, enums: ReadonlyMap<string, readonly string[]>): readonly Property[] {
  return all(entity, /<Property ([^>]*?)(?:\/>|>(.*?)<\/Property>)/gs).map(([attributes = '', body = '']) => {
    const type = attribute(attributes, 'Type') ?? 'Edm.String';
    const name = type.slice(type.lastIndexOf('.') + 1);
    const members = type.startsWith('Edm.') ? undefined : enums.get(name);
    const maxLength = Number(attribute(attributes, 'MaxLength') ?? 0);
    return {
      name: attribute(attributes, 'Name') ?? '',
      type: members ? name : type,
      ...(maxLength > 0 && { maxLength }),
      isComputed: body.includes('V1.Computed" Bool="true"'),
      ...(members && { members }),
    };
  });
}

const all = (text: string, pattern: RegExp): readonly (readonly (string | undefined)[])[] =>
  [...text.matchAll(pattern)].map(([, ...groups]) => groups);

const attribute = (attributes: string, name: string): string | undefined =>
  new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1];

/** `Credit_x0020_Memo` in words. */
export const memberText = (member: string): string =>
  member.replace(/_x([0-9a-f]{4})_/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))).trim();

/** `lastModifiedDateTime` in words. */
export const titleOf = (name: string): string => {
  const words = name.replace(/([a-z])([A-Z0-9])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};
