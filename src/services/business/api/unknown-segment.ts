import { didYouMean } from '../../../kernel/config/index.ts';
import { API_PAGE } from '../../../kernel/http/index.ts';
import { errors } from '../errors.ts';
import type { Api, Model, Page } from '../model/types.ts';
import { actionName, type Segment } from './path.ts';

/** Paths of an API besides its sets. */
const DOCUMENTS = ['$metadata', '$batch', 'entityDefinitions', 'subscriptions'];
const COUNT = '$count';
const COMPANIES = 'companies';

interface Unknown {
  readonly name: string;
  /** Names that are valid in its place. */
  readonly names: readonly string[];
}

/**
 * The first segment of a path that is no set, navigation or property of the model. Does not look at records, so that the error can be sent
 * before authentication.
 */
export function unknownSegment(model: Model, api: Api, segments: readonly Segment[]): Unknown | undefined {
  const [first, ...rest] = segments;
  if (!first) return undefined;
  if (DOCUMENTS.some((name) => isSame(name, first.name))) return undefined;
  const page = model.page(api, first.name);
  if (!page) return { name: first.name, names: [...setsOf(api), ...DOCUMENTS] };
  return first.key === undefined ? afterSet(rest) : afterRecord(model, api, page, rest);
}

function afterSet([next]: readonly Segment[]): Unknown | undefined {
  return !next || next.name === COUNT ? undefined : { name: next.name, names: [COUNT] };
}

function afterRecord(model: Model, api: Api, page: Page, [next, ...rest]: readonly Segment[]): Unknown | undefined {
  if (!next || actionName(next.name) !== undefined) return undefined;
  const navigation = page.navigations.find(({ name }) => isSame(name, next.name));
  const target = navigation ? model.page(api, navigation.set) : belowCompany(model, api, page, next);
  if (target) {
    const isRecord = next.key !== undefined || navigation?.many === false;
    return isRecord ? afterRecord(model, api, target, rest) : afterSet(rest);
  }
  const names = [...page.navigations, ...page.properties].map(({ name }) => name);
  const isCompany = page.set === COMPANIES;
  if (names.some((name) => isSame(name, next.name)) || (isCompany && isSame('subscriptions', next.name)))
    return undefined;
  const sets = isCompany ? setsOf(api).filter((set) => set !== COMPANIES) : [];
  const actions = page.actions.map((action) => `Microsoft.NAV.${action}`);
  return { name: next.name, names: [...sets, ...names, ...actions] };
}

/** Every set of the API also exists below a company. */
function belowCompany(model: Model, api: Api, { set }: Page, { name }: Segment): Page | undefined {
  return set === COMPANIES && !isSame(COMPANIES, name) ? model.page(api, name) : undefined;
}

const setsOf = (api: Api): string[] => api.pages.map(({ set }) => set);
const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** The error for a path with an unknown segment. `base` is the address of the API. */
export function resourceNotFound(resource: string, { name, names }: Unknown, base: string): Error {
  const near = didYouMean(name, names);
  const meant = near === undefined ? '' : `; did you mean '${near}'?`;
  const hint = ` ('${name.slice(0, 100)}' does not exist${meant}). ${base}/$metadata lists all names, ${originOf(base)}${API_PAGE} all operations`;
  return errors.BadRequest_ResourceNotFound({ resource: resource.slice(0, 300), hint });
}

const originOf = (base: string): string => base.split('/', 3).join('/');
