/** Captions for people: of entities, properties, actions and enumeration members of an API. */
import { captionOf } from './captions.ts';
import { wireMember } from './enum-text.ts';
import type { Api, EnumType, Model, Page } from './types.ts';
import { enumsOf, fieldOf, propertyNames } from './walk.ts';

const ENGLISH = 1033;

interface Caption {
  readonly languageCode: number;
  readonly caption: string;
}

interface Named {
  readonly name: string;
  readonly captions: readonly Caption[];
}

export interface EntityDefinition {
  readonly entityName: string;
  readonly entitySetName: string;
  readonly entityCaptions: readonly Caption[];
  readonly entitySetCaptions: readonly Caption[];
  readonly properties: readonly Named[];
  readonly actions: readonly Named[];
  readonly enumMembers: readonly (Named & { readonly value: number; readonly enumName: string })[];
}

const inEnglish = (caption: string): readonly Caption[] => [{ languageCode: ENGLISH, caption }];

const named = (name: string): Named => ({ name, captions: inEnglish(captionOf(name)) });

export const entityDefinitions = (model: Model, api: Api): readonly EntityDefinition[] =>
  api.pages.map((page) => definitionOf(model, page));

const definitionOf = (model: Model, page: Page): EntityDefinition => ({
  entityName: page.entity,
  entitySetName: page.set,
  entityCaptions: inEnglish(page.caption ?? captionOf(page.entity)),
  entitySetCaptions: inEnglish(captionOf(page.set)),
  properties: propertyNames(page).map((name) => ({ name, captions: inEnglish(propertyCaption(model, page, name)) })),
  actions: page.actions.map(named),
  enumMembers: enumsOf(model, [page]).flatMap(membersOf),
});

function propertyCaption(model: Model, page: Page, name: string): string {
  const shown = page.properties.find((property) => property.name === name);
  const caption = shown?.kind === 'field' ? fieldOf(model, page, shown.field).caption : undefined;
  return caption ?? captionOf(name);
}

const membersOf = ({ name, members }: EnumType): EntityDefinition['enumMembers'] =>
  members.map((member, value) => ({ enumName: name, name: wireMember(member), value, captions: inEnglish(member) }));
