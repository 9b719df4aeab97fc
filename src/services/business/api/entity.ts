import { type Answer, noContent, ok } from '../../../kernel/http/index.ts';
import { contextOf, readQueryOptions } from '../../../kernel/odata/index.ts';
import { errors } from '../errors.ts';
import type { Books } from '../records/books.ts';
import type { Row } from '../records/row.ts';
import { ACTIONS } from '../rules/index.ts';
import { checkMatch, optionalMatch, requiredMatch } from './etag.ts';
import { isObjectBody, noObject, readInput } from './input.ts';
import { presenter } from './present.ts';
import { refusingQuery } from './refuse.ts';
import type { BusinessRequest } from './request.ts';
import type { Session } from './session.ts';
import type { Place } from './target.ts';

/** One record, with the client's `$select` and `$expand`. */
export function showEntity(session: Session, place: Place, row: Row, request: BusinessRequest): Promise<Answer> {
  return refusingQuery(async () => {
    const options = readQueryOptions(request.query);
    const [view] = await presenter(session, place, options)([row.stored]);
    const context = `${contextOf(session.base, place.address, options.select)}/$entity`;
    return ok({ '@odata.context': context, ...view });
  });
}

/** Refuses mistakes in the query options of the answer before anything is written. */
export async function checkShown(session: Session, place: Place, { query }: BusinessRequest): Promise<void> {
  await refusingQuery(() => presenter(session, place, readQueryOptions(query))([]));
}

/** Answers a PATCH of a record; writes everything that was sent, or nothing. */
export async function updateRecord(
  session: Session,
  place: Place,
  row: Row,
  request: BusinessRequest,
): Promise<Answer> {
  const match = requiredMatch(request.headers);
  await checkShown(session, place, request);
  const changed = await session.write(companyOf(place), async (books) => {
    const before = await lockedRow(books, place, row);
    checkMatch(match, before.etag);
    const { values } = readInput(place.page, place.table, request.body, before);
    await books.modify(before, values);
    await books.settle();
    return books.current(before);
  });
  return showEntity(session, place, changed, request);
}

export async function deleteRecord(
  session: Session,
  place: Place,
  row: Row,
  request: BusinessRequest,
): Promise<Answer> {
  const match = optionalMatch(request.headers);
  await session.write(companyOf(place), async (books) => {
    const before = await lockedRow(books, place, row);
    checkMatch(match, before.etag);
    await books.remove(before);
  });
  return noContent();
}

/** Answers `POST …(id)/Microsoft.NAV.post`. */
export async function runAction(
  session: Session,
  place: Place,
  row: Row,
  action: string,
  request: BusinessRequest,
): Promise<Answer> {
  const { page } = place;
  const name = page.actions.find((each) => each.toLowerCase() === action.toLowerCase());
  const run = name === undefined ? undefined : ACTIONS[`${page.table}.${name}`];
  if (!run) {
    const known = page.actions.length === 0 ? 'none' : page.actions.join(', ');
    const reason = `${page.set} has no bound action '${action.slice(0, 100)}'; it has ${known}.`;
    throw page.actions.length === 0
      ? errors.BadRequest_MethodNotImplemented({ reason })
      : errors.BadRequest_NotFound({ reason });
  }
  const match = optionalMatch(request.headers);
  const parameters = request.body === undefined || request.body === null ? {} : request.body;
  if (!isObjectBody(parameters)) throw noObject(parameters);
  await session.write(companyOf(place), async (books) => {
    const before = await lockedRow(books, place, row);
    checkMatch(match, before.etag);
    await run(books, before, parameters);
  });
  return noContent();
}

export function companyOf({ company, page }: Place) {
  if (!company) throw errors.BadRequest_MethodNotAllowed({ method: 'A write', resource: page.set, allowed: 'GET' });
  return company;
}

/** The current record, locked until the transaction ends. */
export async function lockedRow(books: Books, { table, page }: Place, { id }: Row): Promise<Row> {
  const row = await books.get(table.name, id);
  if (!row) throw errors.Internal_RecordNotFound({ entity: page.entity, id });
  return row;
}
