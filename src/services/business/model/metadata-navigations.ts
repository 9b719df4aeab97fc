import { NAMESPACE } from './namespace.ts';
import type { Api, Model, Page, PageNavigation } from './types.ts';
import { element } from './xml.ts';

export function navigationProperty(model: Model, api: Api, page: Page, navigation: PageNavigation): string {
  const target = model.page(api, navigation.set)!;
  const type = `${NAMESPACE}.${target.entity}`;
  return element(
    'NavigationProperty',
    {
      Name: navigation.name,
      Type: navigation.many ? `Collection(${type})` : type,
      Partner: partnerOf(page, navigation, target)?.name,
    },
    constraints(page, navigation, target),
  );
}

/** The inverse navigation: between lines and their document. */
const partnerOf = (page: Page, navigation: PageNavigation, target: Page): PageNavigation | undefined =>
  target.navigations.find((back) => back.set === page.set && isInverse(navigation, back));

function isInverse(there: PageNavigation, back: PageNavigation): boolean {
  const pairs = Object.entries(there.on);
  if (pairs.length !== 1 || Object.keys(back.on).length !== 1) return false;
  const [[theirs, own]] = pairs as [[string, string]];
  return typeof own === 'string' && own !== theirs && back.on[own] === theirs;
}

/** `currencyId` of a customer equals the `id` of its currency. Records that share an id need no constraint. */
function constraints(page: Page, { many, on }: PageNavigation, target: Page): readonly string[] {
  if (many) return [];
  return Object.entries(on).flatMap(([theirs, own]) => {
    const referenced = target.properties[0];
    const dependent = page.properties.find((shown) => shown.kind === 'field' && shown.field === own);
    const isKey = referenced?.kind === 'field' && referenced.field === theirs;
    if (!isKey || !dependent || own === 'id') return [];
    return [element('ReferentialConstraint', { Property: dependent.name, ReferencedProperty: referenced.name })];
  });
}
