/** v1.0 shows the same records in an older form. Conversions common to all pages are here; the pages define the rest. */
import { TABLES, type TableName } from '../../tables/index.ts';
import type { ComplexProperty, FieldProperty, Page, PageNavigation, PageProperty } from '../../types.ts';
import { property } from '../notation.ts';

/** A complex property that replaces several properties, at the position of the first. */
export interface Fold {
  readonly name: string;
  readonly typeName: string;
  /** Names of the parts, with their fields. */
  readonly parts: Readonly<Record<string, string>>;
  /** Further properties that are removed. */
  readonly instead?: readonly string[];
}

export interface Differences extends Partial<Page> {
  readonly folds?: readonly Fold[];
}

/** Sets and navigations with other names in v1.0. */
const OLDER_NAMES: Readonly<Record<string, string>> = {
  dimensionSetLines: 'dimensionLines',
  dimensionSetLine: 'dimensionLine',
  customerFinancialDetail: 'customerFinancialDetails',
};

const olderName = (name: string): string => OLDER_NAMES[name] ?? name;

export function asVersionOne(page: Page, { folds = [], ...differences }: Differences = {}): Page {
  const table = page.table as TableName;
  return {
    ...page,
    set: olderName(page.set),
    entity: page.set === 'dimensionSetLines' ? olderName(page.entity) : page.entity,
    properties: folds.reduce(fold, page.properties).map((shown) => withPlainOptions(table, shown)),
    navigations: page.navigations.map(asList),
    ...differences,
  };
}

/** A navigation to one record in later versions is a list of at most one record here. */
const asList = (navigation: PageNavigation): PageNavigation => ({
  ...navigation,
  name: olderName(navigation.name),
  set: olderName(navigation.set),
  many: true,
});

function fold(properties: readonly PageProperty[], { name, typeName, parts, instead = [] }: Fold): PageProperty[] {
  const folded = new Set([...Object.values(parts), ...instead]);
  const complex: ComplexProperty = {
    kind: 'complex',
    name,
    typeName,
    parts: Object.entries(parts).map(([part, field]) => property(part, field)),
  };
  const gone = (shown: PageProperty): boolean => shown.kind === 'field' && folded.has(shown.name);
  const place = properties.findIndex(gone);
  return properties.flatMap((shown, index) => (index === place ? [complex] : gone(shown) ? [] : [shown]));
}

function withPlainOptions(table: TableName, shown: PageProperty): PageProperty {
  if (shown.kind === 'complex') return { ...shown, parts: shown.parts.map((part) => plainOption(table, part)) };
  return shown.kind === 'field' ? plainOption(table, shown) : shown;
}

function plainOption(table: TableName, shown: FieldProperty): FieldProperty {
  const type = TABLES[table].fields[shown.field]?.type;
  return typeof type === 'object' ? { ...shown, asString: true } : shown;
}
