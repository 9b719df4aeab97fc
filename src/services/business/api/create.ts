import { type Answer, created, noContent } from '../../../kernel/http/index.ts';
import { errors } from '../errors.ts';
import type { Page, PageNavigation, Value } from '../model/types.ts';
import type { Books } from '../records/books.ts';
import type { Row } from '../records/row.ts';
import { checkPermission } from '../users/permissions.ts';
import { checkShown, showEntity } from './entity.ts';
import { type Input, readInput } from './input.ts';
import type { BusinessRequest } from './request.ts';
import type { Session } from './session.ts';
import { type Place, relatedBy } from './target.ts';
import { keyText } from './view.ts';

const DEEPEST = 8;
/** Maximum number of records that one request creates. */
const MOST_NESTED = 10_000;

/** Answers a POST to a set: creates the record and the records nested in it, all or none. */
export async function createRecord(session: Session, place: Place, request: BusinessRequest): Promise<Answer> {
  const { company, page, table } = place;
  if (!company) throw new Error(`'${page.set}' is in no company`);
  await checkShown(session, place, request);
  const input = readInput(page, table, request.body);
  const row = await session.write(company, async (books) => {
    const made = await new Insertion(session, books).insert(
      page,
      { ...input, values: { ...input.values, ...place.where } },
      1,
    );
    await books.settle();
    const kept = books.current(made);
    if (table.temporary) await books.remove(kept);
    return kept;
  });
  const location = `${session.base}/${place.address}(${keyText(page, table, row.stored.value)})`;
  if (wantsNoContent(request)) return noContent({ location, 'preference-applied': 'return-no-content' });
  const { headers, body } = await showEntity(session, place, row, request);
  return created(body, { ...headers, location });
}

/** `Prefer: return-no-content`, or the standard's `return=minimal`. */
export function wantsNoContent({ headers: { prefer } }: BusinessRequest): boolean {
  return /(^|[,;\s])return(-no-content|\s*=\s*"?minimal"?)([,;\s]|$)/i.test(String(prefer ?? ''));
}

class Insertion {
  readonly #session: Session;
  readonly #books: Books;
  #count = 0;

  constructor(session: Session, books: Books) {
    this.#session = session;
    this.#books = books;
  }

  async insert(page: Page, { values, id, nested }: Input, depth: number): Promise<Row> {
    if (depth > DEEPEST) throw errors.BadRequest({ reason: `Records are nested more than ${DEEPEST} levels deep.` });
    if (++this.#count > MOST_NESTED)
      throw errors.BadRequest({ reason: `One request creates at most ${MOST_NESTED} records.` });
    checkPermission(this.#session.actor, this.#books.model.table(page.table), 'Insert');
    const row = await this.#books.insert(page.table, values, id);
    for (const { navigation, bodies } of nested) {
      for (const body of bodies) await this.#child(row, navigation, body, depth);
    }
    return row;
  }

  async #child(parent: Row, navigation: PageNavigation, body: unknown, depth: number): Promise<void> {
    const { model, api } = this.#session;
    const page = model.page(api, navigation.set);
    if (!page || page.derived !== undefined || !page.verbs.includes('POST') || 'id' in navigation.on) {
      const reason = `'${navigation.name}' cannot be created together with its ${parent.table.caption}.`;
      throw errors.BadRequest_InvalidOperation__Nested({ reason }, { target: navigation.name });
    }
    const input = readInput(page, model.table(page.table), body);
    const values: Record<string, Value> = { ...input.values, ...page.where, ...relatedBy(navigation, parent) };
    await this.insert(page, { ...input, values }, depth + 1);
  }
}
