import { type Answer, noContent, ok } from '../../../kernel/http/index.ts';
import { handleBatch } from '../batch/handle.ts';
import { errors } from '../errors.ts';
import { entityDefinitions } from '../model/entity-definitions.ts';
import { metadataDocument } from '../model/metadata.ts';
import { serviceDocument } from '../model/service-document.ts';
import type { Page, Verb } from '../model/types.ts';
import { checkPermission, permissionFor } from '../users/permissions.ts';
import { handleSubscriptions } from '../webhooks/subscriptions.ts';
import { createRecord } from './create.ts';
import { deleteRecord, runAction, showEntity, updateRecord } from './entity.ts';
import { countRecords, listRecords } from './list.ts';
import { handleProperty } from './property.ts';
import type { BusinessRequest } from './request.ts';
import type { Session } from './session.ts';
import { type Place, resolveTarget, type Target } from './target.ts';

/** Answers a request to one API, single or in a batch. `found` gets the name of the operation. */
export async function dispatch(
  session: Session,
  request: BusinessRequest,
  found: (operation: string) => void = () => {},
): Promise<Answer> {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  // A batch may consist of reads only: its requests inherit the header, and each is checked by itself.
  const isBatch = /^\$batch$/i.test(request.path);
  if (!isRead && !isBatch && /^readonly$/i.test(String(request.headers['data-access-intent'] ?? '').trim())) {
    throw errors.BadRequest_InvalidOperation__Intent();
  }
  const target = await resolveTarget(session, request);
  found(operationOf(target, request));
  switch (target.kind) {
    case 'service':
    case 'metadata':
    case 'definitions':
      return describe(session, request, target);
    case 'batch':
      allow(request, ['POST'], '$batch');
      return handleBatch(session, request, dispatch);
    case 'subscriptions':
      return handleSubscriptions(session, request, target);
    default:
      return onRecords(session, request, target);
  }
}

type RecordTarget = Extract<Target, { place: unknown }>;

function onRecords(session: Session, request: BusinessRequest, target: RecordTarget): Promise<Answer> | Answer {
  const { page, table } = target.place;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  checkPermission(session.actor, table, target.kind === 'action' ? 'Modify' : permissionFor(request.method));
  switch (target.kind) {
    case 'collection':
      allow(request, target.isCount || isOfOne(target.place) ? ['GET'] : page.verbs.filter(isOnSet), page.set);
      if (target.isCount) return countRecords(session, target.place, request);
      return isRead ? listRecords(session, target.place, request) : createRecord(session, target.place, request);
    case 'nothing':
      if (isRead) return noContent();
      throw errors.Internal_RecordNotFound({ entity: page.entity, id: target.place.address });
    case 'entity':
      allow(request, page.verbs.filter(isOnEntity), page.set);
      if (isRead) return showEntity(session, target.place, target.row, request);
      return (request.method === 'DELETE' ? deleteRecord : updateRecord)(session, target.place, target.row, request);
    case 'action':
      allow(request, ['POST'], `${page.set}/Microsoft.NAV.${target.action}`);
      return runAction(session, target.place, target.row, target.action, request);
    case 'property':
      if (!isRead && !page.verbs.includes('PATCH')) allow(request, ['GET'], `${page.set}/${target.property.name}`);
      return handleProperty(session, target, request);
  }
}

function describe(
  { model, api, base }: Session,
  request: BusinessRequest,
  target: Extract<Target, { kind: 'service' | 'metadata' | 'definitions' }>,
): Answer {
  allow(request, ['GET'], target.kind === 'service' ? 'the service document' : `$${target.kind}`);
  if (target.kind === 'service') return ok(serviceDocument(api, base));
  if (target.kind === 'metadata') {
    return { status: 200, headers: { 'content-type': 'application/xml' }, body: metadataDocument(model, api) };
  }
  const context = `${base}/$metadata#entityDefinitions`;
  const all = entityDefinitions(model, api);
  if (target.entity === undefined) return ok({ '@odata.context': context, value: all });
  const wanted = target.entity.toLowerCase();
  const one = all.find(({ entityName }) => entityName.toLowerCase() === wanted);
  if (!one) throw errors.Internal_RecordNotFound({ entity: 'entity definition', id: target.entity.slice(0, 100) });
  return ok({ '@odata.context': `${context}/$entity`, ...one });
}

/** A navigation to one record, as a list: new records are created in their own set. */
const isOfOne = ({ where }: Place): boolean => 'id' in where;

const isOnSet = (verb: Verb): boolean => verb === 'GET' || verb === 'POST';
const isOnEntity = (verb: Verb): boolean => verb !== 'POST';

function allow({ method }: BusinessRequest, verbs: readonly Verb[], resource: string): void {
  const asked = method === 'HEAD' ? 'GET' : method;
  if (verbs.some((verb) => verb === asked)) return;
  const headers = { allow: verbs.join(', ') };
  throw errors.BadRequest_MethodNotAllowed({ method, resource, allowed: verbs.join(', ') || 'nothing' }, { headers });
}

const VERBS: Readonly<Record<string, string>> = {
  GET: 'Get',
  HEAD: 'Get',
  PATCH: 'Update',
  DELETE: 'Delete',
  POST: 'Create',
  PUT: 'Update',
};

/** Operation name for metrics and logs, such as `customers_List`. */
function operationOf(target: Target, { method }: BusinessRequest): string {
  const verb = VERBS[method] ?? method;
  if (!('place' in target)) {
    if (target.kind !== 'subscriptions') return `business_${target.kind}`;
    return `subscriptions_${verb === 'Get' && target.key === undefined ? 'List' : verb}`;
  }
  const { set }: Page = target.place.page;
  if (target.kind === 'action') return `${set}_${target.action}`;
  if (target.kind === 'collection' && verb === 'Get') return `${set}_${target.isCount ? 'Count' : 'List'}`;
  return target.kind === 'property' ? `${set}_${verb}Property` : `${set}_${verb}`;
}
