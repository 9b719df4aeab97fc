import type { Operation } from '../api/request.ts';
import { deleteCategory, getCategory, listCategories, patchCategory, postCategory } from './categories.ts';
import { deleteOverride, getOverride, listOverrides, patchOverride, postOverride } from './inference.ts';
import { markAsJunk, markAsNotJunk } from './junk.ts';
import { listTimeZones } from './time-zones.ts';
import { translateIds } from './translate-ids.ts';
import { getUser } from './users.ts';

const CATEGORY_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: 'outlook/masterCategories',
    name: 'ListCategories',
    summary: 'The categories of a mailbox',
    needs: 'settingsRead',
    handle: listCategories,
  },
  {
    method: 'POST',
    path: 'outlook/masterCategories',
    name: 'CreateCategory',
    summary: 'A new category',
    needs: 'settingsWrite',
    handle: postCategory,
  },
  {
    method: 'GET',
    path: 'outlook/masterCategories/{category}',
    name: 'GetCategory',
    summary: 'One category',
    needs: 'settingsRead',
    handle: getCategory,
  },
  {
    method: 'PATCH',
    path: 'outlook/masterCategories/{category}',
    name: 'UpdateCategory',
    summary: 'Changes the color of a category',
    needs: 'settingsWrite',
    handle: patchCategory,
  },
  {
    method: 'DELETE',
    path: 'outlook/masterCategories/{category}',
    name: 'DeleteCategory',
    summary: 'Removes a category from the list',
    needs: 'settingsWrite',
    handle: deleteCategory,
  },
];

const OVERRIDE_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: 'inferenceClassification/overrides',
    name: 'ListInferenceOverrides',
    summary: 'The classification overrides of a mailbox, by sender',
    needs: 'mailRead',
    handle: listOverrides,
  },
  {
    method: 'POST',
    path: 'inferenceClassification/overrides',
    name: 'CreateInferenceOverride',
    summary: 'Sets the classification of mail from a sender',
    needs: 'mailWrite',
    handle: postOverride,
  },
  {
    method: 'GET',
    path: 'inferenceClassification/overrides/{override}',
    name: 'GetInferenceOverride',
    summary: 'The classification override of one sender',
    needs: 'mailRead',
    handle: getOverride,
  },
  {
    method: 'PATCH',
    path: 'inferenceClassification/overrides/{override}',
    name: 'UpdateInferenceOverride',
    summary: 'Changes the classification of mail from a sender',
    needs: 'mailWrite',
    handle: patchOverride,
  },
  {
    method: 'DELETE',
    path: 'inferenceClassification/overrides/{override}',
    name: 'DeleteInferenceOverride',
    summary: 'Removes the classification override of a sender',
    needs: 'mailWrite',
    handle: deleteOverride,
  },
];

export const OUTLOOK_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: '',
    name: 'GetUser',
    summary: 'A user: the caller, or another one of the tenant',
    needs: 'userRead',
    handle: getUser,
  },
  ...CATEGORY_OPERATIONS,
  ...OVERRIDE_OPERATIONS,
  {
    method: 'GET',
    path: 'outlook/supportedTimeZones',
    name: 'ListTimeZones',
    summary: 'The time zones that a mailbox can have',
    needs: 'zonesRead',
    handle: listTimeZones,
  },
  {
    method: 'GET',
    path: 'outlook/supportedTimeZones/{standard}',
    name: 'ListTimeZonesOfStandard',
    summary: 'The time zones that a mailbox can have, with Windows or IANA names',
    needs: 'zonesRead',
    handle: listTimeZones,
  },
  {
    method: 'POST',
    path: 'translateExchangeIds',
    name: 'TranslateIds',
    summary: 'Converts ids of items to another form',
    needs: 'idsTranslate',
    handle: translateIds,
  },
  {
    method: 'POST',
    path: 'messages/{message}/markAsJunk',
    name: 'MarkAsJunk',
    summary: 'Blocks the sender of a message',
    needs: 'mailWrite',
    isBeta: true,
    handle: markAsJunk,
  },
  {
    method: 'POST',
    path: 'messages/{message}/markAsNotJunk',
    name: 'MarkAsNotJunk',
    summary: 'Unblocks the sender of a message',
    needs: 'mailWrite',
    isBeta: true,
    handle: markAsNotJunk,
  },
];
