import { type Answer, noContent, ok } from '../../../kernel/http/index.ts';
import { errors } from '../errors.ts';
import type { FieldProperty } from '../model/types.ts';
import { fieldOf } from '../records/row.ts';
import { companyOf, lockedRow } from './entity.ts';
import { checkMatch, optionalMatch } from './etag.ts';
import { isObjectBody, readInput } from './input.ts';
import { keepPicture } from './pictures.ts';
import type { BusinessRequest } from './request.ts';
import type { Session } from './session.ts';
import type { PropertyTarget } from './target.ts';
import { shownValue } from './view.ts';

const BYTES = 'application/octet-stream';

/** Answers a request for one property of a record: its value, or the bytes of a stream. */
export function handleProperty(
  session: Session,
  target: PropertyTarget,
  request: BusinessRequest,
): Promise<Answer> | Answer {
  const { property, place } = target;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (property.kind === 'field' && fieldOf(place.table, property.field).type === 'stream') {
    return isRead ? readStream(target, property) : writeStream(session, target, property, request);
  }
  if (isRead) return readProperty(session, target);
  return writeProperty(session, target, request);
}

function readProperty(session: Session, { place, row, property, isRaw }: PropertyTarget): Answer {
  const value = shownValue(place.page, place.table, row.stored, property.name);
  if (isRaw) return { status: 200, headers: { 'content-type': 'text/plain' }, body: String(value) };
  return ok({ '@odata.context': `${session.base}/$metadata#${place.address}(${row.id})/${property.name}`, value });
}

function readStream({ row, place }: PropertyTarget, { field }: FieldProperty): Answer {
  const content = row.text(field);
  if (content === '') return noContent();
  const type = place.table.fields.contentType ? row.text('contentType') : '';
  return { status: 200, headers: { 'content-type': type || BYTES }, body: Buffer.from(content, 'base64') };
}

async function writeStream(
  session: Session,
  { place, row }: PropertyTarget,
  { field, name }: FieldProperty,
  request: BusinessRequest,
): Promise<Answer> {
  const { method, headers } = request;
  if (method === 'POST')
    throw errors.BadRequest_MethodNotAllowed({ method, resource: name, allowed: 'GET, PATCH, PUT, DELETE' });
  const bytes = bytesOf(request);
  const match = optionalMatch(headers);
  await session.write(companyOf(place), async (books) => {
    const kept = await books.get(place.table.name, row.id);
    checkMatch(match, (kept ?? row).etag);
    const isDelete = method === 'DELETE';
    if (!kept && isDelete) return;
    const before = kept ?? (await keepPicture(books, place, row)) ?? (await lockedRow(books, place, row));
    await books.modify(before, {
      [field]: isDelete ? '' : bytes.toString('base64'),
      ...(place.table.fields.byteSize && { byteSize: isDelete ? 0 : bytes.length }),
      ...(place.table.fields.contentType && { contentType: isDelete ? '' : String(headers['content-type'] ?? BYTES) }),
    });
  });
  return noContent();
}

/** The bytes as sent; in a JSON batch, a stream can be JSON that is part of the batch. */
function bytesOf(request: BusinessRequest): Buffer {
  if (request.bytes) return request.bytes;
  const { body } = request;
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(body === undefined ? '' : JSON.stringify(body));
}

/** A PUT or PATCH of one property is handled as a PATCH of its record; a DELETE empties the property. */
async function writeProperty(
  session: Session,
  { place, row, property }: PropertyTarget,
  request: BusinessRequest,
): Promise<Answer> {
  const { method, body } = request;
  if (method === 'POST') {
    throw errors.BadRequest_MethodNotAllowed({ method, resource: property.name, allowed: 'GET, PATCH, PUT, DELETE' });
  }
  if (method !== 'DELETE' && !(isObjectBody(body) && 'value' in body)) {
    throw errors.BadRequest({ reason: "The body must be a JSON object with the property 'value'." });
  }
  const value = method === 'DELETE' ? null : (body as { value: unknown }).value;
  const match = optionalMatch(request.headers);
  await session.write(companyOf(place), async (books) => {
    const before = await lockedRow(books, place, row);
    checkMatch(match, before.etag);
    await books.modify(before, readInput(place.page, place.table, { [property.name]: value }, before).values);
  });
  return noContent();
}
