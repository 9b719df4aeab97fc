import { decodeSkipToken, encodeSkipToken } from '../../../../kernel/http/index.ts';
import { eq, type Position } from '../../../../kernel/store/index.ts';
import { errors } from '../../errors.ts';
import { callerIdentity, type PlatformCall } from '../../jar.ts';
import { visibilityOf } from '../core/access.ts';
import { byId, type Chain } from '../core/chain.ts';
import { chainsBelow, listBelow, maxResults } from '../core/list.ts';
import { metastoreIn } from '../core/metastore.ts';
import { everyOf, type Securable, securables } from '../core/securables.ts';
import { containerOf } from '../core/wire.ts';
import { MODELS } from './kind.ts';

export interface ModelPage {
  readonly chains: readonly Chain[];
  readonly next: string | undefined;
}

/** Models of one schema, or of the whole metastore if neither catalog nor schema is given. */
export async function listModels(call: PlatformCall): Promise<ModelPage> {
  const { catalog_name: catalog = '', schema_name: schema = '' } = call.query;
  if ((catalog === '') !== (schema === ''))
    throw errors.INVALID_PARAMETER_VALUE({
      reason: 'catalog_name and schema_name must be given together, or neither of them.',
    });
  if (catalog === '') return listEverywhere(call, maxResults(call, { most: 1000, usual: 100 }));
  const above = await containerOf(call, MODELS);
  const { items, next } = await listBelow(call, MODELS, above, { sizes: { most: 10_000, usual: 10_000 } });
  return { chains: chainsBelow(above, items), next };
}

const LIST = 'registered-models';
/** If the caller may see few models of the metastore, at most this many are read for one page. */
const MOST_READ = 2000;

/** All models of the metastore that the caller may see. A page may be shorter than requested, or empty, although more pages follow. */
export async function listEverywhere(call: PlatformCall, size: number): Promise<ModelPage> {
  const metastore = await metastoreIn(call);
  const scope = `${LIST}:${metastore.id}`;
  const { vault, store } = call.jar;
  let after = placeIn(call, scope);
  const above = new Ancestors(call, metastore);
  const chains: Chain[] = [];
  for (let read = 0; read < MOST_READ; ) {
    const wanted = Math.min(size - chains.length, MOST_READ - read);
    const page = await store.query(securables, {
      filter: eq('everyOf', everyOf(metastore.id, 'registered_model')),
      order: [{ field: 'name' }],
      limit: wanted,
      ...(after && { after }),
    });
    read += page.items.length;
    for (const { value } of page.items) {
      const chain = await above.chainOf(value);
      if (chain) chains.push(chain);
    }
    if (!page.next) return { chains, next: undefined };
    after = page.next;
    if (chains.length >= size) break;
  }
  return { chains, next: after && encodeSkipToken(vault, scope, after) };
}

function placeIn(call: PlatformCall, scope: string): Position | undefined {
  const token = call.query.page_token;
  if (typeof token !== 'string' || token === '') return undefined;
  const place = decodeSkipToken<Position>(call.jar.vault, scope, token);
  if (!place)
    throw errors.INVALID_PARAMETER_VALUE({ reason: "The parameter 'page_token' is not a token of this list." });
  return place;
}

/** The ancestors of a page's models: each schema and catalog is read once. */
class Ancestors {
  readonly #known = new Map<string, Securable | undefined>();
  readonly #call: PlatformCall;
  readonly #metastore: Securable;

  constructor(call: PlatformCall, metastore: Securable) {
    this.#call = call;
    this.#metastore = metastore;
  }

  /** The model with its ancestors, if the caller may see it in this workspace. */
  async chainOf(target: Securable): Promise<Chain | undefined> {
    const schema = await this.#byId(target.parent);
    const catalog = schema && (await this.#byId(schema.parent));
    if (!schema || !catalog) return undefined;
    const chain = { target, above: [schema, catalog, this.#metastore] };
    const workspace = this.#call.facts.workspace?.id;
    const isBound = catalog.bindings?.some((each) => each.workspace === workspace) ?? true;
    const sight = visibilityOf(callerIdentity(this.#call), chain);
    const isShown = sight === 'full' || (sight === 'browse' && this.#call.query.include_browse === 'true');
    return isBound && isShown ? chain : undefined;
  }

  async #byId(id: string): Promise<Securable | undefined> {
    if (!this.#known.has(id)) this.#known.set(id, await byId(this.#call.jar.store, id));
    return this.#known.get(id);
  }
}
